// Shows one phase at a time. Without it all of them stand on the page, one under another.
(() => {
  const root = document.documentElement;
  const by = (id) => document.getElementById(id);
  const phases = [...document.querySelectorAll(".phase")];
  const slider = by("slider");
  let current = 0;
  let timer = null;

  const show = (number, { address = true } = {}) => {
    current = Math.max(0, Math.min(phases.length - 1, number));
    phases.forEach((phase, place) => phase.classList.toggle("current", place === current));
    const { id, dataset } = phases[current];
    slider.value = current;
    slider.setAttribute("aria-valuetext", dataset.name);
    by("now").textContent = say("now", { phase: dataset.name, number: current + 1, phases: phases.length });
    if (address) history.replaceState(null, "", `#${id}`);
  };

  const stop = () => {
    clearInterval(timer);
    timer = null;
    by("play").setAttribute("aria-pressed", "false");
  };
  const start = () => {
    if (current === phases.length - 1) show(0);
    timer = setInterval(() => (current < phases.length - 1 ? show(current + 1) : stop()), Number(by("speed").value));
    by("play").setAttribute("aria-pressed", "true");
  };
  const go = (number) => {
    stop();
    show(number);
  };
  const paced = (step) => {
    const speed = by("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + step));
    if (timer) {
      stop();
      start();
    }
  };

  const looks = { orders: "bare", after: "later", reasons: "reasons" }; // classes of the root
  const toggle = (name, pressed) => {
    by(name).setAttribute("aria-pressed", String(pressed));
    root.classList.toggle(looks[name], pressed === (name !== "orders"));
  };
  const flip = (name) => toggle(name, by(name).getAttribute("aria-pressed") !== "true");
  const theme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };

  const actions = {
    first: () => go(0),
    previous: () => go(current - 1),
    play: () => (timer ? stop() : start()),
    next: () => go(current + 1),
    last: () => go(phases.length - 1),
    orders: () => flip("orders"),
    after: () => flip("after"),
    reasons: () => flip("reasons"),
    theme,
    ask: () => by("help").showModal(),
  };
  const keys = {
    ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last",
    p: "play", o: "orders", a: "after", r: "reasons", t: "theme", "?": "ask",
  };
  for (const [name, act] of Object.entries(actions)) by(name).addEventListener("click", act);
  slider.addEventListener("input", () => go(Number(slider.value)));
  by("speed").addEventListener("change", () => paced(0));
  addEventListener("keydown", (event) => {
    const busy = event.target.closest("input, select, textarea, dialog, .scrolls");
    if (busy || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in keys) actions[keys[event.key]]();
    else if (event.key === "+" || event.key === "-") paced(event.key === "+" ? 1 : -1);
    else return;
    event.preventDefault();
  });

  const follow = () => {
    const number = phases.findIndex((phase) => `#${phase.id}` === location.hash);
    if (number >= 0) show(number);
    return number >= 0;
  };
  addEventListener("hashchange", follow);
  root.classList.add("live");
  document.querySelector(".bar").hidden = false;
  if (!follow()) show(0, { address: false });
})();
