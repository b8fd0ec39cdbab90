import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';

/**
 * @typedef {{ status: number, text: string }} Answer
 * @typedef {(target: string, options?: { method?: string, accept?: string, body?: object }) => Promise<Answer>} Call
 */

/**
 * @param {string} file a kubeconfig whose first user has a token
 * @returns {Promise<Call>} sends one request to the server of the first cluster
 */
export async function connect(file) {
  const config = parse(await readFile(file, 'utf8'));
  const { server } = config.clusters[0].cluster;
  const authorization = `Bearer ${config.users[0].user.token}`;
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (target, { method = 'GET', accept = 'application/json', body } = {}) =>
    new Promise((resolve, reject) => {
      const headers = { authorization, accept, 'content-type': 'application/json' };
      request(new URL(target, server), { method, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
}
