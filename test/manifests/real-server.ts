import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TestEnvironment, type TestEnvironmentOptions } from 'ots-testing';

export interface Answer {
  readonly code: number;
  readonly warning: string | undefined;
  readonly text: string;
}

export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Whether there is a real kube-apiserver to ask; says so once a file when there is none. */
export function hasRealServer(what: string): boolean {
  const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
  if (!isReal)
    console.log(`SKIPPED: ${what} against a real kube-apiserver; set KUBEBUILDER_ASSETS to run them`);
  return isReal;
}

/** A real kube-apiserver that is asked what it thinks of objects, without storing any. */
export class RealServer {
  readonly #environment: TestEnvironment;

  private constructor(environment: TestEnvironment) {
    this.#environment = environment;
  }

  static async start(options: TestEnvironmentOptions = {}): Promise<RealServer> {
    return new RealServer(await TestEnvironment.start(options));
  }

  stop(): Promise<void> {
    return this.#environment.stop();
  }

  /** Posts an object without storing it, with unknown fields being errors. A string is sent as YAML. */
  dryRun(path: string, object: unknown): Promise<Answer> {
    const { server, token, caData, insecureSkipTlsVerify } = this.#environment.config;
    const url = new URL(`${path}?dryRun=All&fieldValidation=Strict`, server);
    const isYaml = typeof object === 'string';
    const options = {
      method: 'POST',
      headers: {
        'content-type': isYaml ? 'application/yaml' : 'application/json',
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(caData ? { ca: caData } : {}),
      rejectUnauthorized: !insecureSkipTlsVerify,
    };
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, warning: response.headers['warning']?.toString(), text }),
        );
      });
      request.on('error', reject).end(isYaml ? object : JSON.stringify(object));
    });
  }

  /** `accepted`, or what the server says. */
  async verdict(path: string, object: unknown): Promise<string> {
    const { code, warning, text } = await this.dryRun(path, object);
    return code === 201 ? (warning ?? 'accepted') : text;
  }
}
