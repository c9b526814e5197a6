/** People, head and shoulders, from their faces and clothes. Light falls from the right. */

import { type Canvas, d, type Look } from "./canvas";
import { eyeColour, type Face, hairTone, skinTone } from "./characters";
import { type Clothes, drawClothes, drawCollar } from "./clothes";
import { hairBefore, hairBehind, showsEars, strands } from "./hair";

/** Measures of a head, in the coordinates of the picture. */
interface Head {
  /** From the middle to the cheek, the corner of the jaw, the chin. */
  w: number;
  jaw: number;
  chin: number;
  foot: number;
  neck: number;
  shoulders: number;
}

const SHOULDERS: Record<Face["build"], number> = { slight: 63, medium: 73, broad: 85 };

function headOf(face: Face): Head {
  const soft = face.features === "soft";
  const broad = face.build === "broad" ? 1.5 : face.build === "slight" ? -1 : 0;
  return {
    w: (soft ? 24.5 : 26.5) + broad * 0.6,
    jaw: (soft ? 14.5 : 18.5) + broad,
    chin: soft ? 6 : 9.5 + broad * 0.6,
    foot: soft ? 39 : 41,
    neck: (soft ? 10.5 : 14) + broad,
    shoulders: SHOULDERS[face.build] - (soft ? 4 : 0),
  };
}

function skull(face: Face, { w, jaw, chin, foot }: Head, grow = 0): string {
  const g = w + grow;
  if (face.features === "soft") {
    return d`M${-g} -8C${-g - 1} -46 ${g + 1} -46 ${g} -8C${g} 8 ${g - 2} 16 ${jaw + 2} 26C${jaw - 2} 33 ${chin + 1} ${foot} ${chin - 2} ${foot}H${-chin + 2}C${-chin - 1} ${foot} ${-jaw + 2} 33 ${-jaw - 2} 26C${-g + 2} 16 ${-g} 8 ${-g} -8z`;
  }
  return d`M${-g} -8C${-g - 1} -47 ${g + 1} -47 ${g} -8L${g - 1.5} 13L${jaw} 32L${chin} ${foot}H${-chin}L${-jaw} 32L${-g + 1.5} 13z`;
}

const TOP = 52;

function shoulders({ neck, shoulders: wide }: Head): string {
  return d`M${-neck} ${TOP - 8}L${-neck - 8} ${TOP + 8}L${-wide * 0.62} ${TOP + 20}L${-wide} ${TOP + 40}L${-wide - 12} 140H${wide + 12}L${wide} ${TOP + 40}L${wide * 0.62} ${TOP + 20}L${neck + 8} ${TOP + 8}L${neck} ${TOP - 8}z`;
}

export interface Bust {
  face: Face;
  clothes: Clothes;
  /** The bright edge of shoulders and head on the dark side. */
  rim: string;
  /** A red glow in the eyes. */
  eyesLit?: boolean;
}

/** A person about the middle of their face, which is at 0, 0. */
export function drawBust(c: Canvas, { face, clothes, rim, eyesLit = false }: Bust): void {
  const head = headOf(face);
  const behind = hairBehind(face.cut, head.w);
  if (behind) c.path(behind, hairTone(face, -9));
  drawTorso(c, face, head, clothes, rim);
  drawHead(c, face, head, eyesLit);
  drawHair(c, face, head);
  drawRim(c, head, rim);
}

/** The same person as a flat shape in one colour. */
export function drawShadow(c: Canvas, face: Face, colour: string): void {
  const head = headOf(face);
  const parts = [hairBehind(face.cut, head.w), shoulders(head), skull(face, head, 2), hairBefore(face.cut, head.w)];
  c.path(parts.filter((part) => part !== null).join(""), colour);
}

function drawTorso(c: Canvas, face: Face, head: Head, clothes: Clothes, rim: string): void {
  const { neck, shoulders: wide } = head;
  const shape = shoulders(head);
  c.path(shape, rim);
  c.inside(shape, () => {
    c.group(() => c.path(shape, clothes.cloth), { transform: "translate(3 3)" });
    c.polygon([-2, TOP + 4, wide * 1.4, TOP + 14, wide + 18, 146, 14, 146], clothes.lit, { opacity: 0.5 });
  });
  c.polygon([-neck, 20, neck, 20, neck + 4, TOP + 12, -neck - 4, TOP + 12], skinTone(face, -12));
  c.polygon([-neck, 28, neck - 1, 31, 4, TOP + 8, -neck - 4, TOP + 12], skinTone(face, -26));
  c.inside(shape, () => drawClothes(c, { face, clothes, neck, wide }));
  drawCollar(c, { face, clothes, neck, wide });
}

// ---- the face ----

function drawHead(c: Canvas, face: Face, head: Head, eyesLit: boolean): void {
  if (showsEars(face.cut)) drawEars(c, face, head);
  const shape = skull(face, head);
  c.path(shape, skinTone(face, 3));
  c.inside(shape, () => {
    c.ellipse(17, 8, 11, 13, skinTone(face, 9), { opacity: 0.6 });
    drawShadowSide(c, face);
    drawAge(c, face);
    drawEyes(c, face, eyesLit);
    drawNose(c, face);
    drawMouth(c, face);
    drawBeard(c, face, head);
    const fringe = hairBefore(face.cut, head.w);
    if (fringe) c.group(() => c.path(fringe, skinTone(face, -24), { opacity: 0.7 }), { transform: "translate(-2 4)" });
  });
  if (face.glasses) drawGlasses(c);
}

function drawEars(c: Canvas, face: Face, { w }: Head): void {
  c.path(d`M${w - 2} -8L${w + 4} -9L${w + 4.5} 2L${w + 1} 10L${w - 3} 9z`, skinTone(face, 1));
  c.path(d`M${w} -5L${w + 2.5} -5L${w + 2.5} 2L${w} 6z`, skinTone(face, -18));
  c.path(d`M${-w + 2} -8L${-w - 4} -9L${-w - 4.5} 2L${-w - 1} 10L${-w + 3} 9z`, skinTone(face, -22));
}

function drawShadowSide(c: Canvas, face: Face): void {
  const soft = face.features === "soft";
  const edge = soft
    ? "M-2-50L-1-12L2-6L6 9L1 13L2 18L4 22L1 28L2 46L-60 46V-50z"
    : "M-2-50L-1-13L3-6L8 11L1 15L2 20L5 23L1 29L2 46L-60 46V-50z";
  c.path(edge, skinTone(face, soft ? -15 : -19));
  c.path(d`M-60 46V-50H-24L-20 -6L-22 14L-14 34L-12 46z`, skinTone(face, soft ? -22 : -27), { opacity: 0.75 });
  // Sockets under the brows: one plane in the light, a deeper one in the shadow.
  c.polygon([3, -13, 20, -14, 19, -2, 9, -1, 4, -4], skinTone(face, soft ? -9 : -14), { opacity: 0.85 });
  c.polygon([-3, -13, -20, -14, -20, -2, -8, -1], skinTone(face, soft ? -24 : -32), { opacity: 0.85 });
}

function drawEyes(c: Canvas, face: Face, eyesLit: boolean): void {
  const soft = face.features === "soft";
  const lid = soft ? "#241712" : skinTone(face, -44);
  for (const side of [1, -1] as const) {
    const lit = side === 1;
    c.at(
      0,
      0,
      1,
      0,
      () => {
        const high = soft ? -11.4 : -9.6;
        const eye = d`M4.6 -5.4Q10.5 ${high} 17.2 -6.4Q11 -2.2 4.6 -5.4z`;
        c.path(eye, lit ? "#f4efe8" : "#b5a79d");
        c.circle(11, -6.2, 2.7, eyeColour(face));
        c.circle(11, -6.2, 1.2, "#0b0908");
        c.circle(12, -7.2, 0.8, "#fff");
        c.path(d`M4 -5.4Q10.5 ${high} 17.4 -6.5L${soft ? 19.6 : 18} -8`, "none", {
          stroke: lid,
          width: soft ? 1.9 : 1.5,
          join: "round",
        });
        if (eyesLit) c.circle(11, -6.2, 2.2, "#ff2336");
        drawBrow(c, face, lit);
      },
      side,
    );
  }
}

function drawBrow(c: Canvas, face: Face, lit: boolean): void {
  const light = face.hair === "platinum" || face.hair === "blond";
  const colour = hairTone(face, (light ? -26 : -4) - (lit ? 0 : 6));
  if (face.features === "soft") c.path("M3.5-12.5Q10-18 19.5-12.5Q11-15.5 4-11.2z", colour);
  else c.polygon([2.5, -14.5, 12, -17, 20, -14, 19.5, -12, 11, -13.4, 3, -11.4], colour);
}

function drawNose(c: Canvas, face: Face): void {
  const soft = face.features === "soft";
  c.line(1, -9, soft ? 3.5 : 5, soft ? 8 : 9.5, skinTone(face, 12), soft ? 1.4 : 2, { opacity: 0.75 });
  c.polygon(
    soft
      ? [
          [-3.5, 12],
          [4, 12.5],
          [1.5, 14.5],
          [-2.5, 14],
        ]
      : [
          [-5, 14],
          [6, 14.5],
          [3, 17],
          [-3.5, 16.5],
        ],
    skinTone(face, -36),
    { opacity: 0.8 },
  );
}

function drawMouth(c: Canvas, face: Face): void {
  if (face.features === "soft") {
    const lips = lipTone(face);
    c.path("M-7.5 23.5Q-3 20.2 .6 21.6Q4 20.2 8.5 23.5Q.5 24.8-7.5 23.5z", lips.upper);
    c.path("M-7.5 23.5Q.5 24.8 8.5 23.5Q5 29 .5 29Q-4 29-7.5 23.5z", lips.lower);
    c.ellipse(3, 26.4, 2.6, 0.9, "#ffffff", { opacity: 0.35 });
    return;
  }
  c.polygon([-8, 24, 0, 22.5, 9, 23.5, 8, 25.2, 0, 25, -7, 25.6], skinTone(face, -40));
  c.polygon([-5, 28, 6, 27.8, 4, 29.8, -3.5, 30], skinTone(face, -24), { opacity: 0.7 });
}

function lipTone(face: Face): { upper: string; lower: string } {
  const dark = face.skin === "deep" || face.skin === "brown";
  return dark ? { upper: "#5f2a2a", lower: "#824040" } : { upper: "#9c4a46", lower: "#c06a60" };
}

function drawAge(c: Canvas, face: Face): void {
  if (face.age === "young") return;
  const look: Look = {
    stroke: skinTone(face, -26),
    width: face.age === "old" ? 1.3 : 1,
    opacity: face.age === "old" ? 0.8 : 0.4,
  };
  c.path("M9 13Q13 18 12 25M-8 14Q-13 19-12 25", "none", look);
  if (face.age === "old")
    c.path("M-14-24H13M-11-28.5H10M6 0Q12 2.5 18-1M-6 0Q-12 2.5-18-1M18-9L22-11M18-6L22-5", "none", look);
}

function drawBeard(c: Canvas, face: Face, { w, jaw }: Head): void {
  if (!face.beard) return;
  const tone = hairTone(face, -3);
  if (face.beard === "stubble") {
    c.path(d`M${-w} 10L${-jaw + 1} 20Q-8 17 -8 20Q0 17 9 20Q9 17 ${jaw - 1} 20L${w} 10V46H${-w}z`, tone, {
      opacity: 0.3,
    });
  } else if (face.beard === "full") {
    c.path(d`M${-w} 4L${-jaw + 2} 18L-8 17.5Q0 15.5 8 17.5L${jaw - 2} 18L${w} 4V46H${-w}z`, tone);
    c.polygon([-8, 23, 8, 22.6, 5.5, 26.5, -5, 27], lipTone(face).lower);
  } else if (face.beard === "goatee") {
    c.path("M-10 19Q0 15.5 10 19L11 30L7 46H-7L-11 30zM-6.5 22.5L-6 27Q0 29.5 7 27L7 22.2Q0 20.5-6.5 22.5z", tone);
  } else {
    c.path("M-11 22.5Q-6 16.5 .5 18Q7 16.5 12 22.5Q6 21.5 .5 22Q-6 21.5-11 22.5z", tone);
  }
}

function drawGlasses(c: Canvas): void {
  const frame: Look = { stroke: "#14181d", width: 1.6 };
  c.polygon([3, -13, 20, -13, 21, -11, 20, -2, 17, 1, 7, 1, 4, -2], "#bee1ff33", frame);
  c.polygon([-3, -13, -20, -13, -21, -11, -20, -2, -17, 1, -7, 1, -4, -2], "#bee1ff22", frame);
  c.path("M-4-9.5H4M21-9.5L27-8M-21-9.5L-27-8M7-11L12-11", "none", frame);
  c.line(8, -9, 12, -11.5, "#ffffff", 1.4, { opacity: 0.7 });
}

function drawHair(c: Canvas, face: Face, { w }: Head): void {
  const shape = hairBefore(face.cut, w);
  if (!shape) {
    c.ellipse(10, -31, 11, 6, "#ffffff", { opacity: 0.25 });
    return;
  }
  c.path(shape, hairTone(face, 0), face.cut === "buzz" ? { opacity: 0.82 } : {});
  c.inside(shape, () => {
    c.ellipse(22, -36, 25, 17, hairTone(face, 14), { opacity: 0.7 });
    c.ellipse(-34, -10, 24, 52, hairTone(face, -12), { opacity: 0.65 });
    const light = strands(face.cut, w);
    if (light) c.path(light, "none", { stroke: hairTone(face, 24), width: 1.4, opacity: 0.6 });
  });
}

/** The bright edge on the side away from the light. */
function drawRim(c: Canvas, { w, jaw }: Head, rim: string): void {
  c.path(d`M${-w - 0.5} -8L${-w + 1.5} 13L${-jaw} 32`, "none", { stroke: rim, width: 2.2, opacity: 0.8 });
}
