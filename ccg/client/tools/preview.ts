/**
 * What the server draws previews of decks with (`decks/pictures/drawing.py`): one script without imports, and the fonts as it
 * can read them. Written by the build beside the bundles of the pages.
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { build, type Plugin } from "vite";

const ENTRY = fileURLToPath(new URL("../src/preview/main.ts", import.meta.url));
/**
 * One face for each script: two of one family (latin and latin-ext are, in files of their own) would be taken for each
 * other. The letters that are only in latin-ext are therefore a little bolder.
 */
const FONTS = [
  "saira-condensed/files/saira-condensed-latin-600-normal.woff",
  "saira-condensed/files/saira-condensed-latin-ext-700-normal.woff",
  "ibm-plex-sans/files/ibm-plex-sans-cyrillic-600-normal.woff",
  "ibm-plex-sans/files/ibm-plex-sans-greek-600-normal.woff",
  "noto-sans-arabic/files/noto-sans-arabic-arabic-600-normal.woff",
  "noto-sans-hebrew/files/noto-sans-hebrew-hebrew-600-normal.woff",
];

export function preview(): Plugin {
  return {
    name: "preview",
    apply: "build",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "preview/draw.js", source: await script() });
      const { resolve } = createRequire(import.meta.url);
      for (const font of FONTS) {
        const fileName = `preview/${font.split("/").at(-1)?.replace(".woff", ".ttf")}`;
        try {
          this.emitFile({ type: "asset", fileName, source: unpacked(await readFile(resolve(`@fontsource/${font}`))) });
        } catch (error) {
          this.warn(`Previews of decks are drawn without ${font}; npm ci installs it. ${error}`);
        }
      }
    },
  };
}

async function script(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      lib: { entry: ENTRY, formats: ["iife"], name: "preview" },
    },
  });
  const outputs = [made].flat().flatMap((one) => ("output" in one ? one.output : []));
  const [chunk] = outputs;
  if (chunk?.type !== "chunk" || outputs.length !== 1) throw new Error("The preview is not one script.");
  return chunk.code;
}

/** A font as programs other than browsers read it: WOFF 1 is its tables, each compressed by itself. */
export function unpacked(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== 0x774f4646) throw new Error("That is no WOFF file.");
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  const power = 2 ** Math.floor(Math.log2(count));
  woff.copy(head, 0, 4, 8); // the flavor
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * power, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE(16 * (count - power), 10);
  const parts: Buffer[] = [head];
  let place = head.length;
  for (let table = 0; table < count; table++) {
    const entry = 44 + 20 * table;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number];
    const bytes = woff.subarray(offset, offset + packed);
    const content = packed < length ? inflateSync(bytes) : bytes;
    const to = 12 + 16 * table;
    woff.copy(head, to, entry, entry + 4); // the tag
    woff.copy(head, to + 4, entry + 16, entry + 20); // the checksum
    head.writeUInt32BE(place, to + 8);
    head.writeUInt32BE(length, to + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(content, padding);
    place += length + padding.length;
  }
  return Buffer.concat(parts);
}
