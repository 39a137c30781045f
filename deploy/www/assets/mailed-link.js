// What the pages of mailed links share: /reset/TOKEN and /verify/TOKEN. Nothing is sent before a person acts, so that
// whoever merely looks, a mail program or a crawler, uses nothing up.
"use strict";

const element = (id) => document.getElementById(id);
// Without what was pasted after it: a full stop, a bracket.
const [token] = decodeURIComponent(location.pathname).match(/[\w-]{43}/);

function showMessage(title, text) {
  element("message-title").textContent = title;
  element("message-text").textContent = text;
  element("message").hidden = false;
}

// The end, good or bad: a title that takes the focus, for what had it is gone.
function finish(title, text) {
  element("title").textContent = title;
  element("lead").textContent = text;
  for (const id of ["act", "form", "message"]) {
    element(id)?.setAttribute("hidden", "");
  }
  element("home").hidden = false;
  element("title").focus();
}

function post(path, body) {
  return fetch(`/api/v1/auth/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, ...body }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    signal: AbortSignal.timeout(20_000),
  });
}

// Sends what the person wants once, however often the button is pressed. `done` is told of success, `refused` of a 400.
async function act(path, body, done, refused) {
  const button = element("act");
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true"); // unlike `disabled`, this keeps the focus where it is
  element("message").hidden = true;
  try {
    const response = await post(path, body);
    if (response.ok) {
      done();
    } else if (response.status === 400) {
      refused((await response.json()).error);
    } else if (response.status === 429) {
      const seconds = Number(response.headers.get("Retry-After"));
      showMessage("That was a few too many tries", `Please wait ${seconds > 1 ? `${seconds} seconds` : "a few seconds"}, then try again.`);
    } else if (response.status < 500) {
      finish("This link is no longer valid", "It may have been used already, or it is too old. Ask for a new one in Baby Basics.");
    } else {
      showMessage("We can’t do it right now", "That’s on our side. Please try again in a minute.");
    }
  } catch {
    showMessage("No connection", "We couldn’t reach Baby Basics. Check your connection, then try again.");
  }
  button.removeAttribute("aria-disabled");
}
