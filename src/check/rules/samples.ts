import { posix } from 'node:path';
import type { Answer } from 'ots-apiserver';
import type { KubernetesObject } from 'ots-kubernetes';
import { isData } from '../../project/yaml/data.ts';
import { oneLine } from '../../output/one-line.ts';
import { type DryRunServer, startDryRunServer } from '../dry-run-server.ts';
import { keysOf } from '../field-path.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** An object of a file in config/samples. */
interface Sample {
  readonly file: string;
  readonly document: number;
  readonly object: KubernetesObject;
}

/**
 * Creates the samples on an API server in this process, as a dry run with strict validation of fields: with the definitions that the
 * sources generate, and the policies of config/default.
 */
export async function checkSamples(view: ProjectView): Promise<Problem[]> {
  const { manifests } = view;
  const { samples, problems } = samplesOf(view);
  if (!manifests || manifests.diagnostics.length > 0 || samples.length === 0) return problems;
  const deployed = await view.build('config/default');
  const server = await startDryRunServer(manifests.crds, 'objects' in deployed ? deployed.objects : []);
  try {
    for (const sample of samples) problems.push(...(await problemsOf(view, sample, server)));
  } finally {
    await server.stop();
  }
  return problems;
}

function samplesOf(view: ProjectView): { samples: Sample[]; problems: Problem[] } {
  const samples: Sample[] = [];
  const problems: Problem[] = [];
  const files = view.list('config/samples').filter((path) => /\.ya?ml$/.test(path));
  for (const file of files.filter((path) => !posix.basename(path).startsWith('kustomization.')))
    for (const [document, object] of (view.yaml(file)?.values ?? []).entries()) {
      if (object === null) continue;
      if (isObjectOfKubernetes(object)) samples.push({ file, document, object });
      else
        problems.push({
          ...view.place(file, document, []),
          severity: 'error',
          message: 'The sample has no apiVersion, kind or metadata',
          hint: 'Add them, or delete the file and its entry in config/samples/kustomization.yaml.',
        });
    }
  return { samples, problems };
}

function isObjectOfKubernetes(value: unknown): value is KubernetesObject {
  return (
    isData(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isData(value['metadata'])
  );
}

async function problemsOf(view: ProjectView, sample: Sample, server: DryRunServer): Promise<Problem[]> {
  const { file, document, object } = sample;
  const answer = await server.create(object);
  if (answer === 'unknown kind') {
    view.skip('samples', `${file}: ots does not know ${object.kind} of ${object.apiVersion}`);
    return [];
  }
  const hint = 'Correct the sample, or the type if the sample is right.';
  return refusals(answer).map(({ message, path }) => ({
    ...view.place(file, document, path),
    severity: 'error',
    message: oneLine(message),
    hint,
  }));
}

interface Refusal {
  readonly message: string;
  /** Of the field. */
  readonly path: (string | number)[];
}

/** What the server says about an object, one entry per field. */
function refusals({ code, body }: Answer): Refusal[] {
  if (code < 300 || !isData(body)) return [];
  const message = typeof body['message'] === 'string' ? body['message'] : `the server answers ${code}`;
  const [, strict] = /strict decoding error: (.*)$/s.exec(message) ?? [];
  if (strict !== undefined)
    return strict
      .split(/, (?=(?:unknown|duplicate) field )/)
      .map((text) => ({ message: text, path: keysOf(/field "(.*)"/.exec(text)?.[1] ?? '') }));
  const details = isData(body['details']) ? body['details'] : {};
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isData) : [];
  const fields = causes.filter((cause) => typeof cause['field'] === 'string' && cause['field'] !== '');
  if (fields.length === 0) return [{ message, path: [] }];
  return fields.map((cause) => {
    const field = String(cause['field']);
    return { message: `${field}: ${String(cause['message'])}`, path: keysOf(field) };
  });
}
