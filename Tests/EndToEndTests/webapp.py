"""What tests of the web app know of it, whichever browser they drive."""

WIDTHS = {320: 640, 390: 844, 1280: 900}
LOOKS = ("light", "dark", "night")
SCREENS = (
    "today", "timeline", "cards", "deleted", "family", "invite", "account", "told", "devices", "changes", "new-family", "child", "forgot", "waiting",
    "trends", "growth", "sheet", "doctor", "month", "nursery", "import", "export",
)  # fmt: skip

# As if it had been chosen in the account's settings.
DRESS = "look => { document.documentElement.dataset.look = look; localStorage.setItem('device', JSON.stringify({ look })); }"

# All of one store of the account's database.
KEPT = """async (store) => {
    const { id } = JSON.parse(localStorage.getItem('account'));
    const open = indexedDB.open(`baby-basics-${id}`);
    const database = await new Promise((resolve) => { open.onsuccess = () => resolve(open.result); });
    const all = database.transaction(store).objectStore(store).getAll();
    const found = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
    database.close();
    return found;
}"""
