// Enhancements of the pages: links and forms that replace the page in place, updates of tables,
// automatic playback, and keyboard shortcuts. Without this script, links and forms work as usual.

const root = document.documentElement;
root.classList.add("js");
const page = () => document.getElementById("page");
let playing = 0;
let running = null;
let asking = false; // somebody waits for a page
let lost = false; // the server could not be reached
let shown = page().outerHTML;

// ---- swapping ----------------------------------------------------------------------------------

async function swap(url, options = {}) {
  const { body = null, push = true, quiet = false, part = "page", once = body } = options;
  running?.abort();
  const mine = (running = new AbortController());
  asking = !quiet;
  if (!quiet) page().setAttribute("aria-busy", "true");
  if (once) page().dataset.sent = ""; // no second click before the answer
  let answer, text;
  try {
    answer = await fetch(url, {
      method: body ? "POST" : "GET",
      body,
      headers: { Accept: "text/html" },
      signal: mine.signal,
    });
    text = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") lose();
    return false;
  } finally {
    if (running === mine) {
      asking = false;
      page().removeAttribute("aria-busy");
      delete page().dataset.sent;
    }
  }
  warn("");
  if (!(answer.headers.get("content-type") || "").startsWith("text/html")) {
    warn(text);
    return false;
  }
  const next = new DOMParser().parseFromString(text, "text/html");
  if (answer.status === 429 || (quiet && !answer.ok) || !next.getElementById(part)) {
    warn(next.getElementById("page").textContent); // the page that is shown stays
    return false;
  }
  show(next, quiet, part);
  if (!quiet) reveal();
  if (body) settle();
  // A rejected form is shown in place, because its address accepts forms only.
  const lasting = !body || answer.redirected;
  if (push && lasting && answer.url !== location.href) {
    // The back button leaves a table at once, instead of going back through all its events.
    const stays = new URL(answer.url).pathname === location.pathname;
    history[stays ? "replaceState" : "pushState"]({}, "", answer.url);
  }
  if (!quiet) say(announced(page())?.textContent);
  return answer.ok;
}

// The answer to a request is more important than the heading of the page.
function announced(where) {
  const answer = where.querySelector("[data-reveal] [data-announce]");
  return answer ?? where.querySelector("[data-announce]");
}

// Scroll to the requested part or the error, which may be out of sight.
function reveal() {
  const target = page().querySelector("[data-reveal]");
  if (!target) return;
  const { top, bottom } = target.getBoundingClientRect();
  if (top < 0 || Math.min(bottom, top + 150) > innerHeight) target.scrollIntoView();
  // The reason lies over the sheet: its cell must not be below it.
  page().querySelector(".sheet button[aria-pressed]")?.scrollIntoView({ block: "nearest" });
}

function uncover(part) {
  const { top, bottom } = part.getBoundingClientRect();
  const fits = bottom - top < innerHeight;
  if (top < 0 || (fits ? bottom > innerHeight : top > innerHeight / 3)) {
    part.scrollIntoView({ block: fits ? "nearest" : "start" });
  }
}

// A double tap must not press a button that has just appeared under the finger.
function settle() {
  const fresh = page();
  if (!fresh.querySelector(".seat .move")) return;
  fresh.dataset.sent = "";
  setTimeout(() => delete fresh.dataset.sent, 350);
}

function show(next, quiet, part) {
  const old = document.getElementById(part);
  const fresh = next.getElementById(part);
  const html = next.getElementById("page").outerHTML;
  if (quiet && html === shown) return; // nothing is new
  shown = html;
  const used = keep(fresh);
  const focused = document.activeElement?.id;
  const cell = document.activeElement?.closest(".sheet button")?.value;
  const inside = old.contains(document.activeElement);
  const open = new Set([...old.querySelectorAll("details[open][id]")].map((one) => one.id));
  for (const sheet of next.querySelectorAll("link[rel=stylesheet]")) {
    const address = sheet.getAttribute("href");
    if (!document.querySelector(`link[href="${CSS.escape(address)}"]`)) {
      document.head.append(document.adoptNode(sheet));
    }
  }
  const stays = [...old.querySelectorAll("[data-stays]:checked")].map((one) => one.id);
  old.replaceWith(document.adoptNode(fresh));
  for (const id of stays) document.getElementById(id)?.click();
  document.title = next.title;
  for (const one of fresh.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = true;
  ready();
  const same =
    (focused && document.getElementById(focused)) ||
    (cell && fresh.querySelector(`.sheet button[value="${CSS.escape(cell)}"]`));
  focus(used || same || (inside && place(fresh)));
}

// Keep unsent choices and input while the question is the same. Return the focused field.
function keep(fresh) {
  const fields = (where) =>
    where.querySelectorAll("form:has([name=seen]) :is([type=radio], [type=number], [name=text])");
  const key = (field) => {
    const hidden = [...field.form.querySelectorAll("[type=hidden]")].map((one) => one.value);
    return [...hidden, field.name, field.type === "radio" ? field.value : ""].join("\n");
  };
  const before = new Map([...fields(page())].map((field) => [key(field), field]));
  let used = null;
  for (const field of fields(fresh)) {
    const same = before.get(key(field));
    if (same?.checked) field.checked = true;
    if (same && field.type !== "radio" && same.value) field.value = same.value;
    if (same && same === document.activeElement) used = field;
  }
  return used;
}

// Move the keyboard focus to the new content if the pressed element is gone.
function place(fresh) {
  const target = announced(fresh) ?? fresh;
  if (!target.hasAttribute("tabindex") && !target.matches("a, button")) target.tabIndex = -1;
  return target;
}

function focus(part) {
  if (part) part.focus({ preventScroll: true });
}

function say(text) {
  if (text) document.getElementById("status").textContent = text;
}

// Show a failure at the edge of the page until the next request succeeds.
function warn(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text.replace(/\s+/g, " ").trim();
  notice.hidden = !text;
  lost = false;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap], .hits a, .log a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (link.getAttribute("aria-disabled") === "true") return;
  const url = new URL(link.getAttribute("href"), location.href); // `href` of a link in SVG is no text
  swap(url.href).then((done) => {
    const part = done && url.hash && document.getElementById(url.hash.slice(1));
    if (!part) return;
    document.getElementById(`pane-${part.id}`)?.click();
    uncover(part); // what was asked for may be far below, or above
  });
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-swap]") && !event.submitter?.matches("[data-swap]")) return;
  event.preventDefault();
  const given = new FormData(form, event.submitter);
  // Read attributes, because a field called "action" would hide the property.
  const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  if ((event.submitter?.getAttribute("formmethod") ?? form.method) === "post") {
    swap(new URL(action, location.href), { body: new URLSearchParams(given) });
  } else {
    const url = new URL(action || location.pathname, location.href);
    const kept = ([name, value]) => value !== "" && name !== "form_token" && name !== "once";
    url.search = new URLSearchParams([...given].filter(kept));
    swap(url, { once: form.matches(".entry") });
  }
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.matches("[data-submit]")) {
    field.form.requestSubmit(document.getElementById(field.dataset.submit));
  }
});

// A number is chosen in steps. What else is chosen may limit it: a number at its least stays there.
function limit(field) {
  const form = field.form;
  const chosen = form.querySelector("[data-least]:checked");
  if (chosen) {
    const isLeast = field.value === field.min;
    field.min = chosen.dataset.least;
    field.max = chosen.dataset.most;
    const value = isLeast ? chosen.dataset.least : field.value;
    field.value = Math.min(Math.max(value, field.min), field.max);
  }
  for (const step of form.querySelectorAll("[data-step]")) {
    const edge = step.dataset.step < 0 ? field.min : field.max;
    step.disabled = step.parentElement.contains(field) ? field.value === edge : step.disabled;
  }
}

function limitAll() {
  for (const field of page().querySelectorAll(".stepper input")) limit(field);
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.matches("[data-least]")) limit(field.form.querySelector(".stepper input"));
  if (field.matches(".stepper input")) limit(field);
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const field = step.parentElement.querySelector("input");
  if (step.dataset.step < 0) field.stepDown();
  else field.stepUp();
  limit(field);
});

// Explain the chosen option below its list, once for consecutive lists with the same choice.
function explain() {
  let before = null;
  for (const list of page().querySelectorAll("select[data-says]")) {
    const words = list.selectedOptions[0]?.dataset.says ?? "";
    document.getElementById(list.dataset.says).textContent = words === before ? "" : words;
    before = words;
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-says]")) explain();
});

// Update the lists of names while the user types names.
document.addEventListener("input", (event) => {
  const seat = event.target.dataset?.name;
  if (!seat) return;
  for (const list of page().querySelectorAll("select[data-names]")) {
    list.options[Number(seat)].textContent = event.target.value;
  }
});

addEventListener("popstate", () => swap(location.href, { push: false }));

// Copy a link on a click, or select it if the browser does not allow copying.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return;
  }
  button.textContent = "Copied";
  say("Copied");
});

// ---- changes of the table ------------------------------------------------------------------------

// A visible tab polls, and tells the other tabs with this table, which then need not poll. A browser
// opens few connections to a server: if each tab kept a connection for a stream of events, the
// seventh tab could not load its page.
let checking = false;
const versions = new Map(); // for each address, the version that another tab has seen, and when
const channel = "BroadcastChannel" in window ? new BroadcastChannel("changes") : null;
channel?.addEventListener("message", ({ data: [url, version] }) => {
  versions.set(url, [version, Date.now()]);
  if (!checking && !document.hidden) follow(url, version);
});

async function check() {
  const url = page().dataset.changes ?? (lost ? "/static/icon.svg" : "");
  if (!url || checking || document.hidden) return;
  const [known, time] = versions.get(url) ?? ["", 0];
  if (Date.now() - time < 2500) return follow(url, known);
  checking = true;
  try {
    const answer = await fetch(url, { cache: "no-store" });
    const version = await answer.text();
    if (lost) warn("");
    if (!answer.ok) return;
    channel?.postMessage([url, version]);
    await follow(url, version);
  } catch {
    lose();
  } finally {
    checking = false;
  }
}

async function follow(url, version) {
  const { changes, version: seen } = page().dataset;
  if (changes === url && version !== seen && !asking && !playing && !busy()) {
    await swap(location.href, { push: false, quiet: true });
  }
}

// Tabs do not ask at the same time: the first one tells the others.
setInterval(check, 1900 + 300 * Math.random());
document.addEventListener("visibilitychange", check);

function lose() {
  if (!lost) warn("The server cannot be reached. This page goes on as soon as it answers again.");
  lost = true;
}

// Return whether the user is typing and must not be disturbed.
function busy() {
  const field = document.activeElement;
  return field?.matches("input, textarea") && field.value !== field.defaultValue;
}

// ---- playing -------------------------------------------------------------------------------------

async function step() {
  const next = page().querySelector("[data-next]");
  if (!next || !playing) return stop();
  const done = next.matches("a")
    ? await swap(next.href)
    : await swap(next.form.action, { body: new URLSearchParams(new FormData(next.form)) });
  if (done && playing) playing = setTimeout(step, speed());
  else stop();
}

let chosen = null;
const speed = () => Number(chosen ?? document.querySelector("[data-speed]")?.value ?? 1200);

function stop() {
  clearTimeout(playing);
  playing = 0;
  mark();
}

function mark() {
  const button = page().querySelector("[data-play]");
  if (!button) return;
  button.textContent = playing ? "Pause" : "Play";
  button.setAttribute("aria-pressed", String(Boolean(playing)));
  const choice = page().querySelector("[data-speed]");
  if (choice && chosen) choice.value = chosen;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-play]")) return;
  if (playing) return stop();
  playing = setTimeout(step, 0);
  mark();
});

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-speed]")) chosen = event.target.value;
});

// ---- the recorded game on the first page ----------------------------------------------------------

let filming = 0;

function film() {
  clearInterval(filming);
  const figure = page().querySelector("[data-film]");
  const button = page().querySelector("[data-pause]");
  if (!figure || !button) return;
  const frames = figure.querySelectorAll("figcaption [data-frame]").length;
  let shown = Number(figure.dataset.film);
  const turn = () => {
    if (document.hidden) return;
    shown = (shown + 1) % frames;
    for (const frame of figure.querySelectorAll("[data-frame]")) {
      frame.classList.toggle("shown", Number(frame.dataset.frame) === shown);
    }
  };
  const run = (runs) => {
    clearInterval(filming);
    if (runs) filming = setInterval(turn, 3200);
    button.textContent = runs ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(!runs));
  };
  button.onclick = () => run(button.textContent === "Play");
  run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}

// ---- the graph -----------------------------------------------------------------------------------

// The values under the pointer are written above the graph; dragging goes from turn to turn.
let dragging = null;
let pointed = ""; // the values under the pointer

function readOut() {
  const readout = page().querySelector("[data-readout]");
  if (!readout) return;
  readout.dataset.help ??= readout.textContent;
  readout.textContent = pointed || readout.dataset.help;
}

function drag(link) {
  const href = link?.getAttribute("href");
  if (!dragging || !href || href === dragging) return;
  dragging = href;
  swap(new URL(href, location.href));
}

document.addEventListener("pointermove", (event) => {
  const link = event.target.closest?.(".chart a");
  const words = link?.querySelector("title").textContent ?? "";
  if (words !== pointed) {
    pointed = words;
    readOut();
  }
  if (!asking) drag(link);
});

document.addEventListener("pointerdown", (event) => {
  dragging = event.target.closest?.(".chart a")?.getAttribute("href") ?? null;
  // A finger would stay captured by the turn where it started.
  if (dragging) event.target.releasePointerCapture?.(event.pointerId);
});

document.addEventListener("pointerup", (event) => {
  drag(event.target.closest?.(".chart a"));
  dragging = null;
});
document.addEventListener("pointercancel", () => (dragging = null));
document.addEventListener("dragstart", (event) => {
  if (dragging) event.preventDefault();
});

// ---- keys ----------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, summary, [role=listbox]")) return;
  // Links and buttons handle these keys themselves.
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, a")) return;
  const pressed = page().querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!pressed || pressed.getAttribute("aria-disabled") === "true") return;
  event.preventDefault();
  pressed.click();
});

// A note sheet has hundreds of cells: the tab key reaches one of them, and arrows lead to the others.
document.addEventListener("keydown", (event) => {
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const cell = event.target.closest?.(".sheet td");
  if (!cell || !moves[event.key]) return;
  const [down, right] = moves[event.key];
  const rows = [...cell.closest(".scroll").querySelectorAll(".sheet tr:has(td)")];
  const row = rows[rows.indexOf(cell.parentElement) + down];
  const button = row?.cells[cell.cellIndex + right]?.querySelector("button");
  event.preventDefault();
  event.stopPropagation(); // at the edge, too: the arrow keys also go from turn to turn
  if (!button) return;
  event.target.tabIndex = -1;
  button.tabIndex = 0;
  button.focus();
}, true);

function rove() {
  for (const sheet of page().querySelectorAll(".scroll:has(.sheet button)")) {
    const buttons = [...sheet.querySelectorAll(".sheet button")];
    const first = buttons.find((one) => one.matches("[aria-pressed]")) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === first ? 0 : -1;
  }
}

// ---- completion of typed text --------------------------------------------------------------------

let asked = 0;

document.addEventListener("input", async (event) => {
  const field = event.target;
  const url = field.dataset?.words;
  if (!url) return;
  const mine = ++asked;
  const before = field.value.slice(0, field.selectionStart);
  const target = new URL(url, location.href);
  target.searchParams.set("text", before);
  let ways = [];
  try {
    const answer = await fetch(target);
    if (answer.ok) ways = await answer.json();
  } catch { /* without completion, then */ }
  if (mine === asked) offer(field, before, ways);
});

function offer(field, before, ways) {
  const list = document.getElementById(field.getAttribute("aria-controls"));
  if (!list) return;
  list.replaceChildren(
    ...ways.slice(0, 12).map(([start, word]) => {
      const way = document.createElement("button");
      way.type = "button";
      way.className = "plain way";
      way.textContent = word;
      way.addEventListener("click", () => {
        // Also replace the characters typed since the request.
        const end = Math.max(field.selectionStart, start);
        field.value = before.slice(0, start) + word + field.value.slice(end);
        field.focus();
        field.setSelectionRange(start + word.length, start + word.length);
        list.replaceChildren();
      });
      return way;
    }),
  );
}

// ---- a new page ----------------------------------------------------------------------------------

let again = 0;

// Continue a long search while the page is visible and no other request is pending; continuing would
// cancel that request.
async function goOn(link) {
  const { part } = link.dataset;
  if (document.hidden || asking) again = setTimeout(goOn, 1000, link);
  else if (!(await swap(link.href, { push: false, quiet: Boolean(part), part }))) {
    link.textContent = "Try again";
    link.classList.remove("no-script");
  }
}

function ready() {
  clearTimeout(again);
  const wait = page().dataset.again;
  if (wait) again = setTimeout(() => swap(location.href, { push: false }), Number(wait));
  const next = page().querySelector("[data-goes-on]");
  if (next) again = setTimeout(goOn, 300, next);
  mark();
  explain();
  rove();
  limitAll();
  film();
  if (pointed) readOut();
  // Only the browser knows the host name under which the server was reached.
  for (const field of page().querySelectorAll("[data-link]")) {
    field.value = new URL(field.value, location.href).href;
  }
  centre();
}

// Scroll lists to their current entry.
function centre() {
  for (const here of page().querySelectorAll(".scroll [aria-current]")) {
    const pane = here.closest(".scroll");
    const above = Math.max(0, pane.clientHeight - here.offsetHeight) / 2; // in the middle, if it fits
    pane.scrollTop = here.offsetTop - pane.offsetTop - above;
  }
}

// A list that was hidden could not be scrolled.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-stays]")) centre();
});

ready();
