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

async function settle(response, { done, gone, refused }) {
  if (response.ok) {
    done();
  } else if (response.status === 404) {
    gone();
  } else if (response.status === 429) {
    showMessage(say("page.too_many_title"), waiting("link", Number(response.headers.get("Retry-After"))));
  } else if (response.status < 500) {
    const { error } = await response.json();
    if (!refused?.(error)) showMessage(say("link.refused_title"), say(error.code === "CONFLICT" ? "link.no_mail" : "link.refused_text"));
  } else {
    showMessage(say("link.unavailable_title"), say("link.unavailable_text"));
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
    showMessage(say("page.offline_title"), say("link.offline_text"));
  }
  button.removeAttribute("aria-disabled");
}
