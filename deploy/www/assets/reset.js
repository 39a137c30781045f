// The page on which a new password is chosen.
"use strict";

const reasons = {
  too_short: ["That’s a little short", "A password has at least 8 characters."],
  common: ["Many people use that one", "It would be guessed first. Choose another."],
};

function refuse([title, text], id = "password") {
  showMessage(title, text);
  element(id).focus();
}

function save(event) {
  event.preventDefault();
  const [password, again] = [element("password").value, element("again").value];
  if ([...password].length < 8) {
    refuse(reasons.too_short);
  } else if (password !== again) {
    refuse(["They are not the same", "Type the new password twice, so that no slip keeps you out."], "again");
  } else {
    act(
      "reset-password",
      { new_password: password },
      () => finish("Your new password is saved", "Sign in with it on all your devices."),
      (error) => refuse(reasons[error.details[0]?.reason] ?? ["That password can’t be used", "Choose another."]),
    );
  }
}

element("form").hidden = false;
element("form").addEventListener("submit", save);
