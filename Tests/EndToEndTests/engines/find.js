// The first element on screen with this role and name, as a screen reader would name it; null while there is none, or
// while something moves. Under a sheet nothing is reached.
(role, name, isExact) => {
  const roles = {
    button: "button", link: "a[href]", heading: "h1, h2, h3", radio: "input[type=radio]", region: "section[aria-label]",
    field: "input:not([type=radio]), select, textarea", file: "input[type=file]", timer: "[role=timer]",
  };
  const plain = (text) => text.replace(/\s+/g, " ").trim();
  const nameOf = (element) => {
    const ids = element.getAttribute("aria-labelledby")?.split(" ");
    if (ids) return ids.map((id) => document.getElementById(id)?.textContent).join(" ");
    const named = element.labels?.length ? [...element.labels] : [element];
    return element.getAttribute("aria-label") ?? named.map((one) => one.textContent).join(" ");
  };
  const fits = (found) => (isExact ? found === name : new RegExp(name, "i").test(found));
  if (document.getAnimations().some((one) => one.playState === "running")) return null;
  const sheet = document.querySelector("dialog[open]");
  if (role === "dialog") return sheet;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = [...(sheet ?? document).querySelectorAll(roles[role])];
  return all.find((one) => isShown(one) && fits(plain(nameOf(one)))) ?? null;
}
