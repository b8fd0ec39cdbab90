import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const httpsProxy = 'http://p:1';

// What http.ProxyFromEnvironment of Go 1.25 says.
test.each([
  ['https://10.0.0.1:6443', '10.0.0.1', false],
  ['https://10.0.0.1:6443', '10.0.0.0/8', false],
  ['https://10.0.0.1:6443', '10.0.0.0/99', true],
  ['https://10.0.0.1:6443', '*', false],
  ['https://10.0.0.1:6443', '10.0.0.1:6443', false],
  ['https://10.0.0.1:6443', '10.0.0.1:443', true],
  ['https://10.0.0.1:6443', '10.0.0.2', true],
  ['https://api.example.com:6443', 'example.com', false],
  ['https://api.example.com:6443', '.example.com', false],
  ['https://api.example.com:6443', '*.example.com', false],
  ['https://api.example.com:6443', 'API.Example.com', false],
  ['https://api.example.com:6443', 'ample.com', true],
  ['https://api.example.com:6443', ' x , example.com', false],
  ['https://api.example.com:6443', 'example.com:6443', false],
  ['https://api.example.com:6443', 'example.com:443', true],
  ['https://api.example.com:6443', '.example.com:6443', false],
  ['https://api.example.com:6443', '*.example.com:6443', false],
  ['https://api.example.com:6443', 'x;example.com', true],
  ['https://api.example.com:6443', 'example.com.', true],
  ['https://api.example.com:6443', '*example.com', true],
  ['https://example.com', 'example.com:443', false],
  ['https://example.com', '.example.com', true],
  ['https://example.com', '*.example.com', true],
  ['https://[fd00::1]', 'fd00::1', false],
  ['https://[fd00::1]', '[fd00::1]:443', false],
  ['https://[fd00::1]', '[fd00::1]:80', true],
  ['https://[fd00::1]', 'fd00::/8', false],
  ['https://[fd00::1]', '10.0.0.0/8', true],
  ['https://localhost', '', false],
  ['https://127.9.9.9', '', false],
  ['https://[::1]', '', false],
  ['https://x.localhost', '', true],
  ['http://a', '', false],
])('%s with NO_PROXY=%s: through the proxy is %s', (server, NO_PROXY, isProxied) => {
  expect(environmentProxy(server, { HTTPS_PROXY: httpsProxy, NO_PROXY })).toBe(
    isProxied ? httpsProxy : undefined,
  );
});

test.each([
  ['https://a', { https_proxy: 'http://low:1' }, 'http://low:1'],
  ['https://a', { HTTPS_PROXY: 'http://up:1', https_proxy: 'http://low:1' }, 'http://up:1'],
  ['http://a', { HTTP_PROXY: 'http://p:2' }, 'http://p:2'],
  ['https://a', { HTTP_PROXY: 'http://p:2' }, undefined],
  ['https://a', { ALL_PROXY: 'http://p:2' }, undefined],
  ['https://a', { HTTPS_PROXY: 'p:3' }, 'http://p:3'],
  ['https://a', { HTTPS_PROXY: 'socks5://p:3' }, 'socks5://p:3'],
  ['https://a', { HTTPS_PROXY: httpsProxy, no_proxy: 'a' }, undefined],
])('%s with %j goes through %s', (server, env, proxy) => {
  expect(environmentProxy(server, env)).toBe(proxy);
});

test.each(['ftp://u:secret@p', '://', 'socks4://p'])('%s is refused, and not quoted', (proxy) => {
  expect(() => environmentProxy('https://a', { HTTPS_PROXY: proxy })).toThrow(
    /^The environment variable HTTPS_PROXY is not an http, https or socks5 URL$/,
  );
});
