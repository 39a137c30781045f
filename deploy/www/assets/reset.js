// The page on which a new password is chosen.
"use strict";

const password = element("password");

function refuse(text) {
  element("wrong").textContent = text;
  password.setAttribute("aria-invalid", "true");
  password.focus();
}

function settled() {
  element("wrong").textContent = "";
  password.removeAttribute("aria-invalid");
}

// By the server's reason; a newer one may have more of them.
function wrong(reason) {
  const id = `reset.wrong.${reason}`;
  return say(id in words ? id : "reset.wrong.other");
}

const ends = {
  done: () => finish(say("reset.done_title"), say("reset.done_text"), [say("reset.log_in"), "/"]),
  gone: () => finish(say("link.gone_title"), say("reset.gone_text"), [say("reset.new_link"), "/#/forgot"]),
  refused(error) {
    const detail = error.details.find(({ field }) => field === "new_password");
    if (detail) refuse(wrong(detail.reason));
    return detail !== undefined;
  },
};

element("form").addEventListener("submit", (event) => {
  event.preventDefault();
  settled();
  if (!password.value) {
    refuse(wrong("required"));
  } else if ([...password.value].length < 8) {
    refuse(wrong("too_short")); // the server would say so too, and count it as a try
  } else {
    act("reset-password", { new_password: password.value }, ends);
  }
});
element("reveal").addEventListener("change", ({ target }) => {
  password.type = target.checked ? "text" : "password";
});
element("reveal").checked = false; // a browser may remember it ticked
element("form").hidden = false;
