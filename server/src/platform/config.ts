import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { addresses } from '@sangam/contract/fields.ts';
import { type CompanySignIn, readCompanySignIn } from './company-config.ts';
import { ConfigError, type Environment, flag, oneOf, wrongValue, valueOf } from './environment.ts';
import { isTronAddress } from './tron-address.ts';

export type NodeRole = 'api' | 'worker' | 'all';

export interface Config {
  host: string;
  port: number;
  /** Addresses and networks of the proxies whose word about the caller's address we trust. */
  trustedProxies: readonly string[];
  /** The address at which people open the console, without a path. Passkeys are bound to its host for ever. Undefined: no passkeys. */
  consoleOrigin: string | undefined;
  /** The company's identity service, by which linked users may sign in. Undefined: there is none. */
  companySignIn: CompanySignIn | undefined;
  /** An absolute path. */
  dataDir: string;
  /** An absolute path. Every node that archives or opens archived orders must see the same folder. */
  archiveDir: string;
  /** The file that the backup job touches when a backup is done; absolute. Undefined: this node watches no backups. */
  backupStamp: string | undefined;
  /** Undefined: the embedded PostgreSQL under dataDir. */
  databaseUrl: string | undefined;
  /**
   * The same database with the role that owns the tables, for migrations and partitions. Undefined: the role of databaseUrl does that too.
   */
  databaseOwnerUrl: string | undefined;
  /** Whether hot statements are prepared by name. PgBouncer before 1.21 in transaction mode does not support that. */
  preparedStatements: boolean;
  role: NodeRole;
  isProduction: boolean;
  /** Whether to log one line for each request. */
  accessLog: boolean;
  /** 32 bytes. Undefined: the key file under dataDir (see master-key.ts). */
  masterKey: Buffer | undefined;
  /** A second key that only opens and never seals, while the master key is being replaced (docs/deploying.md). */
  masterKeyOther: Buffer | undefined;
  /** 32 bytes: the Ed25519 key that signs the audit. Undefined: the file audit.key under dataDir. */
  auditSigningKey: Buffer | undefined;
  /** Public keys in hex that signed older blocks of the audit. */
  auditOlderKeys: readonly string[];
  /** Whether to fill an empty database with the demo world. */
  demo: boolean;
  /**
   * Private and loopback addresses that callbacks may go to: all (the simulators need that), none, or the listed addresses and networks.
   */
  allowPrivateCallbacks: boolean | readonly string[];
  /** The base of RazorpayX's API, including its version. In the demo this is the simulator on this machine. */
  gatewayUrl: string;
  /** The base of Cashfree's payout API, including /payout. */
  cashfreeUrl: string;
  /** A TRON node with TronGrid's API, without a path; its API key; and the contract of the token that we accept. */
  tronUrl: string;
  tronApiKey: string | undefined;
  usdtContract: string;
  /** M-Pesa's API, without a path. */
  darajaUrl: string;
  /** Addresses and networks from which M-Pesa may call us. Empty: any address. Undefined: nobody has said it. */
  mpesaAddresses: readonly string[] | undefined;
  /** Where alerts go in addition to the console. Undefined: not by this way. */
  alertMail: AlertMail | undefined;
  alertWebhook: AlertWebhook | undefined;
  /** Phone numbers with country code. SendSmsMessageUrl sends critical alerts to them. */
  alertPhones: readonly string[];
  /** Telegram's Bot API, without a path. */
  telegramUrl: string;
  /** True: Telegram sends updates to ApiUrl. False: the server asks Telegram for updates. */
  telegramWebhook: boolean;
  /** Only in the demo: the gateway of its pay script, which the simulators play. Without a path. */
  demoScriptUrl: string;
  /** The process that holds the keys of USDT wallets. Undefined: USDT payouts are not sent automatically. */
  signer: SignerAccess | undefined;
}

export interface AlertMail {
  /** smtp(s)://user:password@host:port. */
  readonly smtpUrl: string;
  readonly from: string;
  readonly to: readonly string[];
}

export interface AlertWebhook {
  readonly url: string;
  /** The key that signs each body. */
  readonly secret: string;
}

export interface SignerAccess {
  /** Without a path. */
  readonly url: string;
  /** 32 bytes that the node and the signer share. */
  readonly secret: Buffer;
  /** PEM. With https, the only certificate that is accepted as the signer's. */
  readonly certificate?: string;
}

/**
 * Reads the whole environment; no other code reads it. An empty value counts as not set, because compose files and shells leave empty
 * values behind.
 */
export function readConfig(env: Environment): Config {
  const host = readHost(env);
  const { isProduction, demo } = readKind(env, host);
  const dataDir = resolve(valueOf(env, 'DATA_DIR') ?? './data');
  const stamp = valueOf(env, 'BACKUP_STAMP');
  // In production somebody has to say who may call as M-Pesa, which signs nothing, or that the proxy lets no other call through.
  const mpesa = valueOf(env, 'MPESA_ADDRESSES') ?? (isProduction ? undefined : 'proxy');
  return {
    host,
    trustedProxies: readProxies(env, host, isProduction),
    port: readPort(env),
    ...readPeopleDoor(env, demo),
    dataDir,
    archiveDir: resolve(valueOf(env, 'ARCHIVE_DIR') ?? join(dataDir, 'archive')),
    backupStamp: stamp && resolve(stamp),
    ...readDatabaseUrls(env, isProduction),
    preparedStatements: flag(env, 'PREPARED_STATEMENTS', true),
    role: oneOf(env, 'ROLE', ['api', 'worker', 'all'], 'all'),
    isProduction,
    accessLog: flag(env, 'ACCESS_LOG', isProduction),
    masterKey: readKey(env, 'MASTER_KEY'),
    masterKeyOther: readKey(env, 'MASTER_KEY_OTHER'),
    auditSigningKey: readKey(env, 'AUDIT_SIGNING_KEY'),
    auditOlderKeys: readPublicKeys(env, 'AUDIT_OLDER_KEYS'),
    demo,
    allowPrivateCallbacks: readPrivateTargets(env, demo),
    gatewayUrl: readOutsideUrl(env, 'GATEWAY_URL', demo ? `${SIMULATED_GATEWAY}/v1` : REAL_GATEWAY),
    cashfreeUrl: readOutsideUrl(env, 'CASHFREE_URL', demo ? `${SIMULATED_GATEWAY}/payout` : REAL_CASHFREE),
    tronUrl: readOutsideUrl(env, 'TRON_URL', demo ? SIMULATED_TRON : 'https://api.trongrid.io'),
    tronApiKey: valueOf(env, 'TRON_API_KEY'),
    usdtContract: readContract(env),
    darajaUrl: readOutsideUrl(env, 'MPESA_URL', demo ? SIMULATED_MPESA : 'https://api.safaricom.co.ke'),
    mpesaAddresses:
      mpesa === 'proxy' ? [] : mpesa ? readAddresses(env, 'MPESA_ADDRESSES', 'proxy, or ') : undefined,
    alertMail: readAlertMail(env),
    alertWebhook: readAlertWebhook(env),
    alertPhones: readPhones(env),
    telegramWebhook: flag(env, 'TELEGRAM_WEBHOOK', false),
    telegramUrl: readOutsideUrl(
      env,
      'TELEGRAM_API_ROOT',
      demo ? SIMULATED_TELEGRAM : 'https://api.telegram.org',
    ),
    demoScriptUrl: readOutsideUrl(env, 'DEMO_SCRIPT_URL', SIMULATED_SCRIPT_GATEWAY),
    signer: readSigner(env),
  };
}

/**
 * A node is a demo when DEMO=1, or when it uses its own PostgreSQL and only this machine reaches it. Any other node counts as production
 * unless NODE_ENV says otherwise. So a forgotten variable never opens a node that holds real keys.
 */
function readKind(
  env: Environment,
  host: string,
): { readonly isProduction: boolean; readonly demo: boolean } {
  const isAlone = valueOf(env, 'DATABASE_URL') === undefined && isLoopback(host);
  const named =
    valueOf(env, 'NODE_ENV') && oneOf(env, 'NODE_ENV', ['development', 'production', 'test'], 'production');
  const demo = flag(env, 'DEMO', isAlone && named !== 'production');
  const isProduction = named === undefined ? !demo && !isAlone : named === 'production';
  if (demo && isProduction) {
    throw new ConfigError(
      'DEMO must be 0 or unset when NODE_ENV is production: the demo world is for trying out.',
    );
  }
  return { isProduction, demo };
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

function readHost(env: Environment): string {
  const value = valueOf(env, 'HOST') ?? '127.0.0.1';
  const isHost =
    isIP(value) !== 0 || (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value));
  if (!isHost)
    throw wrongValue(
      'HOST',
      value,
      'an IP address or a host name of this machine, such as 127.0.0.1 or 0.0.0.0',
    );
  return value;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Behind a proxy on another machine, every caller would seem to have the proxy's address. Lockouts, limits and address rules would then
 * apply to all callers together. So a production node that listens on the network must name its proxies, or say 'none'.
 */
function readProxies(env: Environment, host: string, isProduction: boolean): readonly string[] {
  const given = valueOf(env, 'TRUSTED_PROXIES');
  if (given === 'none') return [];
  if (given !== undefined) return [...LOOPBACK, ...readAddresses(env, 'TRUSTED_PROXIES')];
  if (isProduction && !isLoopback(host)) {
    throw new ConfigError(
      'TRUSTED_PROXIES must name the proxies in front of this node (addresses or networks, with commas between them), or be none, because HOST is not this machine alone.',
    );
  }
  return LOOPBACK;
}

function readPort(env: Environment): number {
  const value = valueOf(env, 'PORT') ?? '8080';
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw wrongValue('PORT', value, 'a whole number from 0 (any free port) to 65535');
  return port;
}

function readPeopleDoor(env: Environment, demo: boolean): Pick<Config, 'consoleOrigin' | 'companySignIn'> {
  const consoleOrigin = readConsoleOrigin(env, demo);
  return { consoleOrigin, companySignIn: readCompanySignIn(env, consoleOrigin) };
}

/** Browsers support passkeys over TLS and on localhost, and never for a bare IP address. */
function readConsoleOrigin(env: Environment, demo: boolean): string | undefined {
  const value = valueOf(env, 'CONSOLE_ORIGIN') ?? (demo ? `http://localhost:${readPort(env)}` : undefined);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isOrigin = url?.origin === value && !isIP(url.hostname.replace(/^\[|\]$/g, ''));
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
  if (!isOrigin || !isSafe)
    throw wrongValue(
      'CONSOLE_ORIGIN',
      value,
      'an https address with a host name and without a path, such as https://console.example.com',
    );
  return value;
}

function readDatabaseUrls(
  env: Environment,
  isProduction: boolean,
): Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'> {
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL');
  const databaseOwnerUrl = readDatabaseUrl(env, 'DATABASE_OWNER_URL');
  if (isProduction && !flag(env, 'DATABASE_WITHOUT_TLS', false))
    for (const [name, url] of Object.entries({
      DATABASE_URL: databaseUrl,
      DATABASE_OWNER_URL: databaseOwnerUrl,
    }))
      if (url !== undefined && crossesNetworkOpenly(url))
        throw new ConfigError(
          `${name} leads to another machine without TLS: end it with ?sslmode=verify-full, or set DATABASE_WITHOUT_TLS=1 where the network is safe.`,
        );
  if (databaseUrl === undefined && databaseOwnerUrl !== undefined)
    throw new ConfigError('DATABASE_OWNER_URL is set, so DATABASE_URL must be set too.');
  return { databaseUrl, databaseOwnerUrl };
}

/** Whether passwords and orders would cross the network unencrypted. A loopback host or the path of a socket stays on this machine. */
function crossesNetworkOpenly(value: string): boolean {
  const { hostname, searchParams } = new URL(value);
  const host = searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, '');
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  return !isHere && !/^(require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
}

function readDatabaseUrl(env: Environment, name: string): string | undefined {
  const value = valueOf(env, name);
  if (value === undefined) return undefined;
  const isPostgres = /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '');
  // The message does not repeat the value, because it may hold a password.
  if (!isPostgres)
    throw new ConfigError(`${name} must look like postgres://user:password@host:5432/database.`);
  return value;
}

const REAL_GATEWAY = 'https://api.razorpay.com/v1';
const REAL_CASHFREE = 'https://api.cashfree.com/payout';
const SIMULATED_GATEWAY = 'http://127.0.0.1:8099';
const SIMULATED_TRON = 'http://127.0.0.1:8098';
const SIMULATED_MPESA = 'http://127.0.0.1:8097';
const SIMULATED_TELEGRAM = 'http://127.0.0.1:8094';
const SIMULATED_SCRIPT_GATEWAY = 'http://127.0.0.1:8095';

/** A URL that we send keys to. It must use TLS unless it is on this machine. */
function readOutsideUrl(env: Environment, name: string, fallback: string): string {
  const value = valueOf(env, name) ?? fallback;
  const url = URL.parse(value);
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(url.hostname));
  if (!url || !isSafe) throw wrongValue(name, value, 'an https address, or an http address of this machine');
  return value.replace(/\/+$/, '');
}

/** USDT's contract on TRON's main network. A test network has another contract. */
const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

function readContract(env: Environment): string {
  const value = valueOf(env, 'USDT_CONTRACT') ?? USDT_CONTRACT;
  if (!isTronAddress(value)) throw wrongValue('USDT_CONTRACT', value, 'the address of a TRON contract');
  return value;
}

function readAddresses(env: Environment, name: string, others = ''): readonly string[] {
  const value = valueOf(env, name) ?? '';
  const read = addresses.safeParse(value.split(/[\s,]+/).filter(Boolean)).data;
  if (!read)
    throw wrongValue(
      name,
      value,
      `${others}IP addresses or networks such as 203.0.113.0/24, with commas between them`,
    );
  return read;
}

function readPrivateTargets(env: Environment, demo: boolean): boolean | readonly string[] {
  const name = 'ALLOW_PRIVATE_CALLBACKS';
  return /^[01]$/.test(valueOf(env, name) ?? '0')
    ? flag(env, name, demo)
    : readAddresses(env, name, '0, 1, or ');
}

function readAlertMail(env: Environment): AlertMail | undefined {
  const smtpUrl = valueOf(env, 'SMTP_URL');
  const to = (valueOf(env, 'ALERT_MAIL_TO') ?? '').split(/[\s,]+/).filter(Boolean);
  if ((smtpUrl === undefined) !== (to.length === 0))
    throw new ConfigError('SMTP_URL and ALERT_MAIL_TO must be set together, or neither.');
  if (smtpUrl === undefined) return undefined;
  // The message does not repeat the value, because it may hold a password.
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? ''))
    throw new ConfigError('SMTP_URL must look like smtps://user:password@host:465.');
  const from = valueOf(env, 'ALERT_MAIL_FROM') ?? to[0]!;
  for (const address of [...to, from])
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw wrongValue('ALERT_MAIL_TO', address, 'e-mail addresses');
  return { smtpUrl, from, to };
}

function readPhones(env: Environment): readonly string[] {
  const phones = (valueOf(env, 'ALERT_SMS_TO') ?? '').split(/[\s,]+/).filter(Boolean);
  for (const phone of phones)
    if (!/^\+?\d{8,15}$/.test(phone)) throw wrongValue('ALERT_SMS_TO', phone, 'phones such as +919812345678');
  return phones;
}

function readAlertWebhook(env: Environment): AlertWebhook | undefined {
  const url = valueOf(env, 'ALERT_WEBHOOK_URL');
  const secret = valueOf(env, 'ALERT_WEBHOOK_SECRET');
  if ((url === undefined) !== (secret === undefined))
    throw new ConfigError('ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET must be set together, or neither.');
  if (url === undefined || secret === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw wrongValue('ALERT_WEBHOOK_URL', url, 'an http or https address');
  return { url, secret };
}

/** The text of a file that the environment names. */
export function readPem(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw wrongValue(name, file, 'a file that can be read');
  }
}

function readSigner(env: Environment): SignerAccess | undefined {
  const secret = readKey(env, 'SIGNER_SECRET');
  if ((secret === undefined) !== (valueOf(env, 'SIGNER_URL') === undefined))
    throw new ConfigError('SIGNER_URL and SIGNER_SECRET must be set together, or neither.');
  if (!secret) return undefined;
  const url = readOutsideUrl(env, 'SIGNER_URL', '');
  const file = valueOf(env, 'SIGNER_CERTIFICATE');
  if (url.startsWith('https:') !== (file !== undefined))
    throw new ConfigError(
      'SIGNER_CERTIFICATE must name the file of the signer\u2019s certificate when SIGNER_URL is https, and only then.',
    );
  return { url, secret, ...(file !== undefined && { certificate: readPem(file, 'SIGNER_CERTIFICATE') }) };
}

function readKey(env: Environment, name: string): Buffer | undefined {
  const value = valueOf(env, name);
  if (value === undefined) return undefined;
  const key = parseMasterKey(value);
  if (!key) throw new ConfigError(`${name} must be 32 random bytes written as 64 hex digits or as base64.`);
  return key;
}

function readPublicKeys(env: Environment, name: string): readonly string[] {
  const keys = (valueOf(env, name) ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (keys.some((key) => !/^[0-9a-f]{64}$/.test(key)))
    throw new ConfigError(`${name} must be public keys of 64 hex digits with commas between them.`);
  return keys;
}

/** 64 hex digits, or base64 or base64url with or without padding; undefined when it is not 32 bytes. */
export function parseMasterKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // 32 bytes are 43 base64 digits. Buffer reads both base64 alphabets.
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
