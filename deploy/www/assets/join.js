// The invitation page. It asks the server about the invitation only when a person presses the button: link previews
// and crawlers learn nothing, and the answer never depends on who merely looked.
"use strict";

const element = (id) => document.getElementById(id);
// Without what was pasted after it: a full stop, a bracket.
const [token] = decodeURIComponent(location.pathname).match(/[\w-]{22,36}/);

const roles = {
  parent: ["a parent.", "You can log everything, add children, and invite others."],
  caregiver: ["a caregiver.", "You can see the children and log feeds, sleep, diapers and notes."],
  viewer: ["a viewer.", "You can look at everything and change nothing."],
};

const messages = {
  refused: ["This browser won’t keep the invitation", "A private window may be the reason. Open the link in another window, or in the app."],
  offline: ["No connection", "We couldn’t reach Baby Basics. Check your connection, then try again."],
  unavailable: [
    "We can’t look it up right now",
    "That’s on our side, and your invitation is safe. Please try again in a minute.",
  ],
};

function tooMany(seconds) {
  const wait = seconds > 1 ? `${seconds} seconds` : "a few seconds";
  return ["That was a few too many tries", `Please wait ${wait}, then try again. Your invitation is safe.`];
}

// The custom scheme: iOS doesn't open an app by a universal link from a page of the same site.
function deepLink() {
  return `${document.body.dataset.scheme}://${token.length === 36 ? "invite" : "join"}/${token}`;
}

function dateText(date) {
  const language = navigator.language.startsWith("en") ? navigator.language : "en";
  const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
  const form = { weekday: "long", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", hourCycle };
  return new Intl.DateTimeFormat(language, form).format(date);
}

function showMessage([title, text]) {
  element("message-title").textContent = title;
  element("message-text").textContent = text;
  element("message").hidden = false;
}

function showGone() {
  element("title").textContent = "This invitation is no longer valid";
  element("lead").textContent =
    "It may have been used already, or it has run out. Ask whoever sent it for a new link. It only takes them a moment.";
  for (const id of ["show", "open", "browser", "notes"]) {
    element(id).hidden = true;
  }
  element("title").focus(); // the button that had the focus is gone
}

function showInvitation(invite) {
  const [role, meaning] = roles[invite.role] ?? [invite.role, ""];
  element("invited-by").textContent = invite.invited_by.name;
  element("family").textContent = invite.family.name;
  element("role").textContent = role;
  const until = invite.access_until && `Until ${dateText(new Date(invite.access_until))}.`;
  element("role-meaning").textContent = [meaning, until].filter(Boolean).join(" ");
  element("expires").dateTime = invite.expires_at;
  element("expires").textContent = dateText(new Date(invite.expires_at));
  element("lead").hidden = true;
  element("show").hidden = true;
  element("open").classList.add("primary");
  element("invitation").hidden = false;
  element("inviter").focus();
}

async function preview() {
  const response = await fetch("/api/v1/invites/preview", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    signal: AbortSignal.timeout(20_000),
  });
  if (response.ok) {
    showInvitation((await response.json()).invite);
  } else if (response.status === 429) {
    showMessage(tooMany(Number(response.headers.get("Retry-After"))));
  } else if (response.status < 500) {
    showGone();
  } else {
    showMessage(messages.unavailable);
  }
}

async function show() {
  const button = element("show");
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true"); // unlike `disabled`, this keeps the focus where it is
  button.textContent = "Looking it up…";
  element("message").hidden = true;
  try {
    await preview();
  } catch {
    showMessage(messages.offline);
  }
  button.removeAttribute("aria-disabled");
  button.textContent = "Try again";
}

// The web app takes it from here, under the same name as the iPhone app. In no URL: history, referrers and logs don't see it.
function continueInBrowser() {
  try {
    localStorage.setItem("pendingInviteToken", JSON.stringify({ token, at: Date.now() }));
    location.assign("/");
  } catch {
    showMessage(messages.refused);
  }
}

element("open").href = deepLink();
element("open").hidden = false;
element("notes").hidden = false;
element("show").hidden = false;
element("show").addEventListener("click", show);
element("browser").hidden = false;
element("browser").addEventListener("click", continueInBrowser);
