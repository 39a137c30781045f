// Runs before the first paint: nobody is to be blinded at night by a page that turns dark a moment later. The words are needed by
// all that is drawn, and what is behind the doors by who is signed in: both are asked for at once.
(() => {
  const read = (/** @type {string} */ key) => {
    try {
      return JSON.parse(localStorage.getItem(key) || "null");
    } catch {
      return null;
    }
  };
  document.documentElement.dataset.look = read("device")?.look || "auto";
  import("./words.js").then(({ loadWords }) => loadWords()).catch(() => {}); // main.js says so
  const account = read("account");
  if (account && !account.signedOut) import("./signed-in.js").catch(() => {});
})();
