import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { pictures } from "./ccg/client/tools/pictures.ts";
import { preview } from "./ccg/client/tools/preview.ts";

const client = fileURLToPath(new URL("./ccg/client/", import.meta.url));

const CARDS = /\/(?:node_modules\/preact|cards_data|ccg\/client\/src\/(?:cards|store)|docs\/rules\/glossary)\b/;
const BOARD = /\/ccg\/client\/src\/(?:table\/|protocol\.ts)/;
/** What the builder and its windows share, and nobody else has. */
const DECK = /\/ccg\/client\/src\/builder\/(?:context|numbers)\.ts/;
/** What every page begins with, and a table as well: in a file of its own each of it would pack worse. */
const START = /\/src\/(?:pauses|persistently|storage|site\/appearance)\.ts|vite\/preload-helper/;
/** What is not needed everywhere at first: pieces at a table; cards in full, in lists, in pages of the server; chat,
 * offers, the end. */
const LATER =
  /\/src\/(?:cards\/(?:Card|FullCard|LatePicture|art\/thumbnail|SmallCards|menu|tiles|preview|element|piece-element)|table\/(?:looked|why-notes|chat|chat-panel|manners|result))\.tsx?$/;

/**
 * Six entries: `site` for every page, `table` for a match, `replay` for what was played, `builder` for building decks,
 * `admin` for Django's own admin pages, `shuffles` for those that check shuffles. Django finds the built files through `dist/manifest.json` (keys
 * `src/site/main.ts`, `src/table/main.tsx`, `src/replay/main.tsx`, `src/builder/main.tsx`, `src/admin/main.ts`, `src/shuffles/main.ts`).
 */
export default defineConfig(({ command }) => ({
  root: client,
  base: command === "build" ? "/static/" : "/",
  // The table talks to Django: let the development server pass its requests on.
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/ws": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
  plugins: [pictures(), preview()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: `${client}dist`,
    emptyOutDir: true,
    manifest: "manifest.json",
    sourcemap: true,
    // Below these, light-dark() would be rewritten and cards could no longer stay dark on light pages.
    target: ["chrome123", "firefox121", "safari17.5"],
    rollupOptions: {
      // How long parts of a build took is for whoever works on them; a slow machine would tell it at each start.
      checks: { pluginTimings: false },
      input: {
        site: `${client}src/site/main.ts`,
        table: `${client}src/table/main.tsx`,
        replay: `${client}src/replay/main.tsx`,
        builder: `${client}src/builder/main.tsx`,
        admin: `${client}src/admin/main.ts`,
        shuffles: `${client}src/shuffles/main.ts`,
      },
      // Whoever imports one thing from the cards' index gets no more than that.
      treeshake: { moduleSideEffects: [{ test: LATER, sideEffects: false }] },
      output: {
        // What draws cards in one file, and what a table and a replay share in another: whoever loads one part of them needs
        // nearly all, and ten small files pack worse.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "start", test: (id) => START.test(id) },
            { name: "cards", test: (id) => CARDS.test(id) && !LATER.test(id) },
            { name: "board", test: (id) => BOARD.test(id) && !LATER.test(id), minShareCount: 2 },
            { name: "deck", test: (id) => DECK.test(id) },
          ],
        },
      },
    },
  },
  test: {
    root: client,
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "node",
    // A process and a window for each file are two thirds of the time. CI gives them (`make test ALL=1`), so that what a
    // file leaves behind for the next one is noticed.
    pool: "threads",
    isolate: false,
  },
}));
