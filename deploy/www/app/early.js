// Runs before the first paint: nobody is to be blinded at night by a page that turns dark a moment later, and who is signed in
// needs what is behind the doors at once.
(() => {
  const read = (/** @type {string} */ key) => {
    try {
      return JSON.parse(localStorage.getItem(key) || "null");
    } catch {
      return null;
    }
  };
  document.documentElement.dataset.look = read("device")?.look || "auto";
  const account = read("account");
  if (account && !account.signedOut) import("./signed-in.js").catch(() => {});
})();
