/** The picture of the home page: the fleet over a planet, composed once from the parts of the card pictures. */

import { Canvas } from "./canvas";
import { Random } from "./random";
import { capital, distant, fighter, hull, liner, type Module, planTransport, type Ship, transport } from "./ships";
import { drawPlanet, drawSpace, drawStars } from "./space";

const WIDTH = 1200;
const HEIGHT = 540;

/** A transport of the fleet with the parts of its kind. */
function vessel(seed: string, modules: readonly [Module, ...Module[]], least: number, most: number): Ship {
  const random = new Random(seed);
  return transport(planTransport(random, modules, least, most), random);
}

export function heroPicture(): string {
  const c = new Canvas("hero", WIDTH, HEIGHT);
  const random = new Random("ragtag fleet");
  drawSpace(c, random, { hue: 214, other: 262, clouds: 10, stars: 220 });
  drawStars(c, random, 120);
  drawPlanet(c, random, { x: 1060, y: 88, r: 52, hue: 262, surface: "craters", light: [0.7, 0.3], ring: -18 });
  drawPlanet(c, random, { x: 800, y: 1060, r: 700, hue: 28, surface: "bands", light: [0.42, 0.02], saturation: 52 });

  const domes = vessel("garden", ["dome"], 4, 4);
  const freighter = vessel("freighter", ["box", "box", "cylinder"], 4, 5);
  const rings = vessel("rings", ["ring", "sphere", "dome"], 3, 4);
  const tanker = vessel("tanker", ["tank", "truss", "tank"], 3, 4);
  const state = liner(new Random("state"), new Random("state windows"));

  // Farther is darker and bluer.
  const far = distant(hull(216, 22));
  const farFleet: readonly (readonly [number, number, number, Ship])[] = [
    [390, 96, 0.22, rings],
    [505, 70, 0.18, tanker],
    [640, 52, 0.17, freighter],
    [846, 74, 0.22, state],
    [930, 196, 0.24, domes],
    [1106, 236, 0.2, tanker],
    [452, 178, 0.24, freighter],
    [330, 226, 0.16, state],
  ];
  for (const [x, y, scale, ship] of farFleet) c.at(x, y, scale, -5, () => ship(c, far, 200));

  const middle = hull(212, 14);
  c.at(520, 396, 0.7, -6, () => domes(c, middle, 200));
  c.at(1040, 388, 0.74, -5, () => freighter(c, middle, 200));
  c.at(980, 140, 0.5, -6, () => rings(c, middle, 200));
  c.at(860, 462, 0.92, -4, () => tanker(c, middle, 200));

  const flagship = capital(new Random("flagship"), new Random("flagship windows"), "#ffc46b");
  c.at(756, 236, 1.66, -6, () => flagship(c, hull(38, 9), 200));

  const wing = fighter(new Random("wing"), new Random("wing"));
  const wings: readonly (readonly [number, number, number])[] = [
    [1088, 306, 0.34],
    [1144, 278, 0.28],
    [1036, 328, 0.27],
    [1180, 318, 0.22],
    [664, 352, 0.24],
    [622, 372, 0.2],
  ];
  for (const [x, y, scale] of wings) c.at(x, y, scale, -12, () => wing(c, hull(210, 10), 200));
  return c.toString();
}
