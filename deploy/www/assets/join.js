// The invitation page. It asks the server about the invitation only when a person presses the button: link previews
// and crawlers learn nothing, and the answer never depends on who merely looked.
"use strict";

const element = (id) => document.getElementById(id);
// Without what was pasted after it: a full stop, a bracket.
const [token] = decodeURIComponent(location.pathname).match(/[\w-]{22,36}/);

// The custom scheme: iOS doesn't open an app by a universal link from a page of the same site.
function deepLink() {
  return `${document.body.dataset.scheme}://${token.length === 36 ? "invite" : "join"}/${token}`;
}

// In the page's words, in the order of the reader's region where it speaks this language; with the clock of the device.
function dateText(date) {
  const isOwn = navigator.language.split("-")[0] === language.split("-")[0];
  const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
  const form = { weekday: "long", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", hourCycle };
  return new Intl.DateTimeFormat(isOwn ? navigator.language : language, { ...form, calendar: "gregory", numberingSystem: "latn" }).format(date);
}

function showMessage(title, text) {
  element("message-title").textContent = title;
  element("message-text").textContent = text;
  element("message").hidden = false;
}

function showGone() {
  element("title").textContent = say("join.gone_title");
  element("lead").textContent = say("join.gone_text");
  for (const id of ["show", "open", "browser", "notes"]) {
    element(id).hidden = true;
  }
  element("title").focus(); // the button that had the focus is gone
}

function showInvitation(invite) {
  const [name, family] = [element("invited-by"), element("family")];
  name.textContent = invite.invited_by.name;
  family.textContent = invite.family.name;
  element("inviter").replaceChildren(...pieces("join.invites_you", { name, family }));
  const isKnown = `join.role.${invite.role}` in words; // a newer server may have more of them
  element("role").textContent = isKnown ? say(`join.role.${invite.role}`) : invite.role;
  const meaning = isKnown && say(`join.role_means.${invite.role}`);
  const until = invite.access_until && say("join.access_until", { date: dateText(new Date(invite.access_until)) });
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
    showMessage(say("page.too_many_title"), waiting("join", Number(response.headers.get("Retry-After"))));
  } else if (response.status < 500) {
    showGone();
  } else {
    showMessage(say("join.unavailable_title"), say("join.unavailable_text"));
  }
}

async function show() {
  const button = element("show");
  if (button.getAttribute("aria-disabled") === "true") {
    return;
  }
  button.setAttribute("aria-disabled", "true"); // unlike `disabled`, this keeps the focus where it is
  button.textContent = say("join.looking");
  element("message").hidden = true;
  try {
    await preview();
  } catch {
    showMessage(say("page.offline_title"), say("join.offline_text"));
  }
  button.removeAttribute("aria-disabled");
  button.textContent = say("join.try_again");
}

// The web app takes it from here, under the same name as the iPhone app. In no URL: history, referrers and logs don't see it.
function continueInBrowser() {
  try {
    localStorage.setItem("pendingInviteToken", JSON.stringify({ token, at: Date.now() }));
    location.assign("/");
  } catch {
    showMessage(say("join.refused_title"), say("join.refused_text"));
  }
}

element("open").href = deepLink();
element("open").hidden = false;
element("notes").hidden = false;
element("show").hidden = false;
element("show").addEventListener("click", show);
element("browser").hidden = false;
element("browser").addEventListener("click", continueInBrowser);
