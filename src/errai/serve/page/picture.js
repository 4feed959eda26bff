// The square of hands as a PNG.

import { computed } from "./colours.js";
import { h } from "./dom.js";
import { summarise } from "./grid.js";

const CELL = 64;
const TOP = 56;
const BOTTOM = 48;

/** Draw a player's square on a canvas. */
export function drawPicture({ cells, view, player, colours, heading, captions }) {
  const { rows, most } = summarise(cells, view, player);
  const width = rows[0].length * CELL;
  const canvas = h("canvas", { width: width + 32, height: rows.length * CELL + TOP + BOTTOM });
  const pen = canvas.getContext("2d");
  const [paper, ink, faint, range] = ["--panel", "--ink", "--faint", "--range"].map((name) => computed(`var(${name})`));
  const filled = colours.map(computed);
  pen.fillStyle = paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = ink;
  pen.font = "600 20px system-ui, sans-serif";
  pen.fillText(heading, 16, 34);
  pen.font = "15px system-ui, sans-serif";
  rows.forEach((row, i) =>
    row.forEach((cell, j) => {
      const [x, y] = [16 + j * CELL, TOP + i * CELL];
      pen.fillStyle = faint;
      pen.fillRect(x, y, CELL - 2, CELL - 2);
      if (cell.weight > 0) {
        const height = (CELL - 2) * Math.max(0.06, cell.height / most);
        let from = x;
        (cell.shares ?? [1]).forEach((share, k) => {
          pen.fillStyle = cell.shares ? filled[k] : range;
          pen.fillRect(from, y + CELL - 2 - height, share * (CELL - 2), height);
          from += share * (CELL - 2);
        });
      }
      pen.fillStyle = ink;
      pen.globalAlpha = cell.weight > 0 ? 1 : 0.45;
      pen.fillText(cell.name, x + 5, y + 19);
      pen.globalAlpha = 1;
    }),
  );
  let x = 16;
  const y = canvas.height - 18;
  captions.forEach((caption, i) => {
    pen.fillStyle = filled[i];
    pen.fillRect(x, y - 13, 15, 15);
    pen.fillStyle = ink;
    pen.fillText(caption, x + 22, y);
    x += pen.measureText(caption).width + 48;
  });
  return canvas;
}

/** Save what an address or a canvas holds. */
export async function save(content, name) {
  const blob = content instanceof HTMLCanvasElement ? await new Promise((done) => content.toBlob(done)) : content;
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
