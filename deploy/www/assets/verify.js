// The page on which a person says that an address is theirs.
"use strict";

const ends = {
  done: () => finish(say("verify.done_title"), say("verify.done_text"), [say("verify.open_app"), "/"]),
  gone: () => finish(say("link.gone_title"), say("verify.gone_text"), [say("verify.open_account"), "/#/account"]),
};

element("act").addEventListener("click", () => act("verify-email", {}, ends));
element("act").hidden = false;
