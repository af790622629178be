// The imports that `madge` finds in a folder, as the adapter typescript.mjs prints them.
//
//   node madge.mjs FOLDER            the package `madge` is looked for from where it runs
import { createRequire } from 'node:module';
import path from 'node:path';

const madge = createRequire(path.join(process.cwd(), 'x.js'))('madge');
const found = await madge(path.resolve(process.argv[2]), {
  fileExtensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  detectiveOptions: { es6: { mixedImports: true }, ts: { mixedImports: true } },
});
for (const [file, targets] of Object.entries(found.obj())) {
  console.log(`file\t${file}`);
  for (const target of targets) console.log(`import\t${file}\t${target}`);
}
