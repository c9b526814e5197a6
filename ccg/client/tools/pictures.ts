/**
 * Pictures that pages made by the server need as files: the icons, the home picture, the favicon. They come
 * from the same drawings as everything else, so they are written by the build and kept by nobody.
 */

import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

const FILES = fileURLToPath(new URL("./files.ts", import.meta.url));

const files = async (): Promise<typeof import("./files")> =>
  (await runnerImport<typeof import("./files")>(FILES)).module;

/** Write the files into the build; while developing answer for them, and for the catalogue of the gallery. */
export function pictures(): Plugin {
  return {
    name: "pictures",
    async generateBundle() {
      for (const [fileName, draw] of Object.entries((await files()).built)) {
        this.emitFile({ type: "asset", fileName, source: draw() });
      }
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? "").split("?")[0]?.slice(1) ?? "";
        if (!/^[\w/-]+\.(svg|json)$/.test(path)) return next();
        const { built, developing } = await files();
        const make = built[path] ?? developing[path];
        if (!make) return next();
        response.setHeader("Content-Type", path.endsWith(".svg") ? "image/svg+xml" : "application/json");
        response.end(make());
      });
    },
  };
}
