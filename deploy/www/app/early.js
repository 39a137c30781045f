// Runs before the first paint: nobody is to be blinded at night by a page that turns dark a moment later.
try {
  document.documentElement.dataset.look = JSON.parse(localStorage.getItem("device") || "{}").look || "auto";
} catch {
  document.documentElement.dataset.look = "auto";
}
