// Writes orders for one power: each unit has a list of what it may do, and the board chooses in it.
(() => {
  const by = (id) => document.getElementById(id);
  const data = JSON.parse(by("data").textContent);
  const taps = [...document.querySelectorAll(".tap")];
  let power = data.powers[0];
  let chosen = null; // the province of the unit that was tapped

  const made = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text }, attributes);
  const row = (at) => power.pieces.find((piece) => piece.at === at);
  const list = (at) => by(`row-${at}`);

  const write = () => {
    const password = by("password").value.trim();
    const signon = password ? [`SIGNON ${power.letter}${data.game} ${password}`] : [];
    const orders = power.pieces.map((piece) => list(piece.at).value).filter(Boolean);
    by("text").value = [...signon, `PHASE ${data.phase}`, ...orders, ""].join("\n");
    address();
  };
  const address = () => {
    const subject = encodeURIComponent(say("subject", { game: data.game, phase: data.phase, power: power.name }));
    const body = encodeURIComponent(by("text").value.replace(/\n/g, "\r\n"));
    by("send").href = `mailto:${encodeURIComponent(data.address)}?subject=${subject}&body=${body}`;
  };

  const paint = () => {
    const piece = chosen && row(chosen);
    const aims = new Set(piece ? piece.orders.flatMap((order) => order.slice(1)) : []);
    for (const tap of taps) {
      const at = tap.dataset.at;
      tap.classList.toggle("own", !piece && Boolean(row(at)));
      tap.classList.toggle("chosen", at === chosen);
      tap.classList.toggle("aim", at !== chosen && aims.has(at));
    }
  };
  const offer = (orders, words) => {
    const buttons = orders.map(([text]) => {
      const button = made("button", text, { type: "button" });
      button.addEventListener("click", () => take(text));
      return button;
    });
    by("choices").replaceChildren(made("span", words), ...buttons);
  };
  const take = (text) => {
    list(chosen).value = text;
    chosen = null;
    offer([], text);
    write();
    paint();
  };
  const tapped = (at) => {
    const piece = chosen && row(chosen);
    const orders = piece ? piece.orders.filter((order) => order.slice(1).includes(at)) : [];
    if (orders.length === 1) return take(orders[0][0]);
    if (orders.length > 1) return offer(orders, say("which"));
    chosen = row(at) && at !== chosen ? at : null;
    if (chosen && row(chosen).orders.every((order) => order.length === 2 && order[1] === at)) offer(row(chosen).orders, say("which"));
    else offer([], chosen ? say("where", { unit: row(chosen).name }) : "");
    paint();
  };

  const fill = () => {
    power = data.powers[by("power").selectedIndex];
    chosen = null;
    by("due").textContent = power.due;
    by("rows").replaceChildren(...power.pieces.map((piece) => {
      const label = made("label", piece.name);
      const select = made("select", "", { id: `row-${piece.at}` });
      select.append(made("option", "\u2013", { value: "" }));
      for (const [text] of piece.orders) select.append(made("option", text, { value: text }));
      select.addEventListener("change", write);
      label.append(select);
      return label;
    }));
    offer([], "");
    write();
    paint();
  };

  by("power").append(...data.powers.map((each) => made("option", each.name)));
  by("power").addEventListener("change", fill);
  by("password").addEventListener("input", write);
  by("text").addEventListener("input", address);
  for (const tap of taps) tap.addEventListener("click", () => tapped(tap.dataset.at));
  by("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(by("text").value);
      by("copied").textContent = say("copied");
    } catch {
      by("text").select();
      by("copied").textContent = say("selected");
    }
  });
  by("writing").hidden = false;
  fill();
})();
