// Runs builder.ts, which says what this does, on one file of JSON and writes another. Node 20 reads no TypeScript, Vite does.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const [asked, answered] = process.argv.slice(2);
const builder = fileURLToPath(new URL("builder.ts", import.meta.url));
const { module } = await runnerImport(builder, { configFile: false, logLevel: "error" });
writeFileSync(answered, JSON.stringify(module.answers(JSON.parse(readFileSync(asked, "utf8")))));
