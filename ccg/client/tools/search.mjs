// Runs search.ts, which says what this does. Node 20 reads no TypeScript, Vite does.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const [asked, answered] = process.argv.slice(2);
const search = fileURLToPath(new URL("search.ts", import.meta.url));
const { module } = await runnerImport(search, { configFile: false, logLevel: "error" });
writeFileSync(answered, JSON.stringify(module.answers(JSON.parse(readFileSync(asked, "utf8")))));
