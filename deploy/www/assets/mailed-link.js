// What the pages of mailed links share: /reset/TOKEN and /verify/TOKEN. Nothing is sent before a person acts: who merely
// looks, a mail program or a crawler, uses nothing up. The token is in the page's address, and goes nowhere but into a request's body.
"use strict";

const element = (id) => document.getElementById(id);
// Without what was pasted after it: a full stop, a bracket.
const [token] = decodeURIComponent(location.pathname).match(/[\w-]{43}/);

// Before the first paint: the look that this device was given in the app.
try {
  document.documentElement.dataset.look = JSON.parse(localStorage.getItem("device"))?.look ?? "auto";
} catch {
  // A browser that keeps nothing has the system's look.
}

function showMessage(title, text) {
  element("message-title").textContent = title;
  element("message-text").textContent = text;
  element("message").hidden = false;
}

// The end, good or bad: a title that takes the focus, for what had it is gone; and the way on.
function finish(title, text, [label, place]) {
  element("title").textContent = title;
  element("lead").textContent = text;
  for (const id of ["act", "form", "message"]) {
    element(id)?.setAttribute("hidden", "");
  }
  element("on").textContent = label;
  element("on").href = place;
  element("on").hidden = false;
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
    signal: AbortSignal.timeout(45_000),
  });
}

const unavailable = ["We can’t do it right now", "That’s on our side, and your link is still good. Please try again in a minute."];

async function settle(response, { done, gone, refused }) {
  if (response.ok) {
    done();
  } else if (response.status === 404) {
    gone();
  } else if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After"));
    const wait = seconds > 1 ? `${seconds} seconds` : "a few seconds";
    showMessage("That was a few too many tries", `Please wait ${wait}, then try again. Your link is still good.`);
  } else if (response.status < 500) {
    const { error } = await response.json();
    if (!refused?.(error)) showMessage("That can’t be done here", error.message);
  } else {
    showMessage(...unavailable);
  }
}

// Sends what a person wants, once, however often the button is pressed. `done`, `gone`: an end; `refused`: whether it has said why.
async function act(path, body, ends) {
  const button = element("act");
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true"); // unlike `disabled`, this keeps the focus where it is
  element("message").hidden = true;
  try {
    await settle(await post(path, body), ends);
  } catch {
    showMessage("No connection", "We couldn’t reach Baby Basics. Check your connection, then try again. What you typed is still here.");
  }
  button.removeAttribute("aria-disabled");
}
