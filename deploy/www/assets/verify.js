// The page on which a person says that an address is theirs.
"use strict";

const ends = {
  done: () => finish("Thank you", "Your email address is confirmed.", ["Open Baby Basics", "/"]),
  gone: () =>
    finish(
      "This link is no longer valid",
      "A link works once, for a day. If you have used it before, all is well. If not, have another one sent under “Your account”.",
      ["Open your account", "/#/account"],
    ),
};

element("act").addEventListener("click", () => act("verify-email", {}, ends));
element("act").hidden = false;
