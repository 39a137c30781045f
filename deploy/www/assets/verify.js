// The page on which a person confirms an address.
"use strict";

element("act").hidden = false;
element("act").addEventListener("click", () =>
  act(
    "verify-email",
    {},
    () => finish("Thank you", "Your email address is confirmed."),
    () => showMessage("We can’t do it right now", "That’s on our side. Please try again in a minute."),
  ),
);
