// Bundles the app into built/: one script, one style sheet, the page and the licences of what is inside.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const SOURCES = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json", "source"];

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => files(join(path, name)));
}

function digest(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function digests(paths) {
  return Object.fromEntries(paths.map((path) => [path.replaceAll("\\", "/"), digest(path)]));
}

function bundledPackages(inputs) {
  const found = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(found.filter(Boolean))].sort();
}

function licence(name) {
  const folder = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} ships no licence text`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

mkdirSync("built", { recursive: true });
const result = await build({
  entryPoints: { app: "source/main.tsx" },
  outdir: "built",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  metafile: true,
});
copyFileSync("source/index.html", "built/index.html");
const rule = `\n${"-".repeat(78)}\n\n`;
const names = bundledPackages(Object.keys(result.metafile.inputs));
writeFileSync("built/LICENSES.txt", names.map(licence).join(rule));
const shipped = ["built/LICENSES.txt", "built/app.css", "built/app.js", "built/index.html"];
const record = { sources: digests(SOURCES.flatMap(files)), built: digests(shipped) };
writeFileSync("built/digests.json", `${JSON.stringify(record, null, 1)}\n`);
for (const path of shipped) console.log(`${path} ${Math.round(statSync(path).size / 1000)} kB`);
