// The page on which a new password is chosen.
"use strict";

const password = element("password");

const wrongs = {
  too_short: "A password needs at least 8 characters.",
  too_long: "That is longer than a password can be.",
  common: "Many people use that one, so it would be guessed first. Choose another.",
};

function refuse(text) {
  element("wrong").textContent = text;
  password.setAttribute("aria-invalid", "true");
  password.focus();
}

function settled() {
  element("wrong").textContent = "";
  password.removeAttribute("aria-invalid");
}

const ends = {
  done: () =>
    finish("You can sign in now", "Your new password is saved. Everyone who was signed in to your account was signed out, on all devices.", ["Log In", "/"]),
  gone: () =>
    finish("This link is no longer valid", "A link works once, for an hour, and a newer one ends it. Ask for another. It only takes a moment.", [
      "Mail me a new link",
      "/#/forgot",
    ]),
  refused(error) {
    const detail = error.details.find(({ field }) => field === "new_password");
    if (detail) refuse(wrongs[detail.reason] ?? `This password ${detail.message}.`);
    return detail !== undefined;
  },
};

element("form").addEventListener("submit", (event) => {
  event.preventDefault();
  settled();
  if (!password.value) {
    refuse("Enter a password.");
  } else if ([...password.value].length < 8) {
    refuse(wrongs.too_short); // the server would say so too, and count it as a try
  } else {
    act("reset-password", { new_password: password.value }, ends);
  }
});
element("reveal").addEventListener("change", ({ target }) => {
  password.type = target.checked ? "text" : "password";
});
element("reveal").checked = false; // a browser may remember it ticked
element("form").hidden = false;
