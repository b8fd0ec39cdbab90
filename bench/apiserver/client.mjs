import http from 'node:http';
import https from 'node:https';
import { connectionCount } from './load.mjs';

/** A client with kept connections, and as many more as it has watches. */
export function createClient({ server, token, caData }) {
  const { protocol, hostname, port } = new URL(server);
  const library = protocol === 'https:' ? https : http;
  const newAgent = (maxSockets) => new library.Agent({ keepAlive: true, maxSockets, ca: caData });
  const agent = newAgent(connectionCount);
  const watchAgent = newAgent(Infinity);
  const open = (method, path, body, contentType = 'application/json', more = {}, from = agent) =>
    new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...more,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload && { 'content-type': contentType, 'content-length': Buffer.byteLength(payload) }),
      };
      const outgoing = library.request({ agent: from, hostname, port, method, path, headers }, resolve);
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  const send = async (method, path, body, contentType, headers) => {
    const response = await open(method, path, body, contentType, headers);
    let size = 0;
    for await (const chunk of response) size += chunk.length;
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode}`);
    return size;
  };
  const text = async (path) => {
    const chunks = [];
    for await (const chunk of await open('GET', path)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const read = async (path) => JSON.parse(await text(path));
  const close = () => [agent, watchAgent].forEach((one) => one.destroy());
  return {
    server,
    send,
    text,
    read,
    watch: (path) => open('GET', path, undefined, undefined, undefined, watchAgent),
    close,
  };
}
