// Colours that mean something. Fold is blue, check and call are green, bets and raises go from orange to deep red.

/** The colour of every action of a decision, as CSS. */
export function actionColours(actions) {
  const raises = actions.filter((action) => action.action.startsWith("r"));
  return actions.map((action) => {
    if (action.action === "f") return "var(--fold)";
    if (action.action === "c") return "var(--call)";
    if (action.text === "all-in") return "var(--raise-all-in)";
    const place = raises.indexOf(action);
    const sizes = raises.filter((raise) => raise.text !== "all-in").length;
    const step = sizes <= 1 ? 2 : Math.round((4 * place) / (sizes - 1));
    return `var(--raise-${step})`;
  });
}

/** Horizontal bars, one after the other, as a background. */
export function bars(shares, colours, direction = "to right") {
  const stops = [];
  let from = 0;
  shares.forEach((share, i) => {
    if (!(share > 0)) return;
    const to = Math.min(100, from + 100 * share);
    stops.push(`${colours[i]} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
    from = to;
  });
  return stops.length ? `linear-gradient(${direction}, ${stops.join(", ")})` : "none";
}

/** From low (0) over the middle to high (1). */
export function scaleColour(share) {
  const place = Math.max(0, Math.min(1, share));
  const side = place < 0.5 ? "var(--low)" : "var(--high)";
  return `color-mix(in oklab, ${side} ${(Math.abs(place - 0.5) * 200).toFixed(1)}%, var(--middle))`;
}

/** A colour of the style sheet as the browser computes it, for pictures. */
export function computed(colour) {
  const probe = document.createElement("span");
  probe.style.color = colour;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
