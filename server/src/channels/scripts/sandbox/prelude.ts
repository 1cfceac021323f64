/**
 * Runs in the sandbox before the script and sets up what the script may use. It keeps its own references, so a script that
 * redefines JSON or Promise harms only itself. A script reaches the host's functions only through these wrappers.
 */
export const PRELUDE = `(function (helper, sendFetch, sendLog) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, entries, fromEntries, keys } = Object;
  const text = String;
  const encodePart = encodeURIComponent;
  const decodePart = decodeURIComponent;
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false, enumerable: false });

  define('crypto', freeze({
    md5: (input, encoding = 'hex') => helper('hash', 'md5', text(input), text(encoding)),
    sha1: (input, encoding = 'hex') => helper('hash', 'sha1', text(input), text(encoding)),
    sha256: (input, encoding = 'hex') => helper('hash', 'sha256', text(input), text(encoding)),
    sha512: (input, encoding = 'hex') => helper('hash', 'sha512', text(input), text(encoding)),
    hmac: (hash, key, input, encoding = 'hex') => helper('hmac', text(hash), text(key), text(input), text(encoding)),
    rsaSign: (hash, privateKey, input) => helper('rsaSign', text(hash), text(privateKey), text(input)),
    rsaVerify: (hash, publicKey, input, signature) =>
      helper('rsaVerify', text(hash), text(publicKey), text(input), text(signature)) === '1',
    encrypt: (cipher, key, iv, input) => helper('encrypt', text(cipher), text(key), text(iv ?? ''), text(input)),
    decrypt: (cipher, key, iv, input) => helper('decrypt', text(cipher), text(key), text(iv ?? ''), text(input)),
    same: (a, b) => helper('same', text(a), text(b)) === '1',
    randomHex: (bytes) => helper('random', text(bytes)),
  }));
  define('base64', freeze({
    encode: (input) => helper('encode', 'base64', text(input)),
    decode: (input) => helper('decode', 'base64', text(input)),
  }));
  define('form', freeze({
    encode: (fields) =>
      entries(fields)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => encodePart(name) + '=' + encodePart(text(value)))
        .join('&'),
    decode: (input) =>
      fromEntries(
        text(input).split('&').filter(Boolean).map((part) => {
          const [name, ...rest] = part.split('=');
          const plain = (piece) => decodePart(piece.replaceAll('+', ' '));
          return [plain(name), plain(rest.join('='))];
        }),
      ),
    /** Names in order, empty values left out: what most signatures are made over. */
    sorted: (fields) =>
      keys(fields).sort()
        .filter((name) => fields[name] !== undefined && fields[name] !== null && text(fields[name]) !== '')
        .map((name) => name + '=' + text(fields[name]))
        .join('&'),
  }));
  const shown = (value) => {
    if (typeof value === 'string') return value;
    try { return stringify(value) ?? text(value); } catch { return '[unprintable]'; }
  };
  const log = (...values) => sendLog(values.map(shown).join(' '));
  define('console', freeze({ log, info: log, warn: log, error: log, debug: log }));
  define('fetch', (url, options) => {
    const { method, headers, body, form: fields, json } = options ?? {};
    const sent = {};
    for (const [name, value] of entries(headers ?? {})) sent[text(name).toLowerCase()] = text(value);
    let content = body === undefined || body === null ? null : text(body);
    if (fields !== undefined) {
      content = globalThis.form.encode(fields);
      sent['content-type'] ??= 'application/x-www-form-urlencoded';
    } else if (json !== undefined) {
      content = stringify(json);
      sent['content-type'] ??= 'application/json';
    }
    const request = {
      url: text(url),
      method: text(method ?? (content === null ? 'GET' : 'POST')).toUpperCase(),
      headers: sent,
      body: content,
    };
    // An error of the answer is reported where the answer was asked for.
    const asked = new Error().stack;
    return sendFetch(stringify(request)).then((reply) => {
      const answer = parse(reply);
      if (answer.error !== undefined) {
        const error = new Error(answer.error);
        error.stack = asked;
        throw error;
      }
      return freeze({
        status: answer.status,
        ok: answer.status >= 200 && answer.status < 300,
        headers: freeze(answer.headers),
        text: answer.body,
        json: () => parse(answer.body),
      });
    });
  });

  const describe = (thrown) => {
    let [name, message, stack] = ['', '', ''];
    try {
      if (thrown instanceof Error) [name, message, stack] = [text(thrown.name), text(thrown.message), text(thrown.stack)];
      else message = 'thrown: ' + shown(thrown);
    } catch { message = 'something that cannot be shown was thrown'; }
    return stringify([name.slice(0, 100), message.slice(0, 1000), stack.slice(0, 4000)]);
  };
  const run = async (fn, args) => {
    try { return 'o' + (stringify(await fn(...parse(args))) ?? 'null'); } catch (thrown) { return 'e' + describe(thrown); }
  };
  return { run, describe };
})`;
