// Writes the table of the protobuf messages that hold built-in kinds (src/protobuf-table.ts; src/protobuf-messages.ts reads it).
//
//   npm run generate:protobuf -w ots-kubernetes
//
// Needs Go; type-schemas/kubernetes/go.mod names the version of Kubernetes. Run it again after an upgrade.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderProtobufTable } from './render-protobuf-table.mjs';

const cwd = fileURLToPath(new URL('type-schemas/kubernetes/', import.meta.url));
const facts = execFileSync('go', ['run', './protobuf-facts'], { cwd, maxBuffer: 2 ** 28, encoding: 'utf8' });
const messages = JSON.parse(facts);
const table = renderProtobufTable(messages);
await writeFile(new URL('../src/protobuf-table.ts', import.meta.url), table);
console.log(`${messages.length} messages, ${table.length} bytes`);
