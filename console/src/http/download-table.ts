import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import i18next from 'i18next';
import type { Call } from 'virtual:endpoints';
import { session } from '../session/session.ts';
import { CallError, NO_ANSWER } from './call-error.ts';
import { queryOf } from './caller.ts';

export interface TableProgress {
  readonly bytes: number;
  /** Rows received so far, without the heading; undefined for an XLSX file, which is compressed. */
  readonly rows: number | undefined;
  /** How many rows there will be, where the server states it. */
  readonly total: number | undefined;
}

export interface TableFile {
  readonly name: string;
  readonly content: Blob;
  readonly rows: number | undefined;
}

/** Rows end with CR LF; a line break within a cell is a bare LF. */
const ROW_END = 13;

/** Reads a CSV or XLSX answer as it arrives and reports progress. An answer that breaks off is an error, never a file. */
export async function downloadTable<Input extends object>(
  definition: Call<Input, string>,
  input: Input,
  onProgress: (progress: TableProgress) => void,
  signal: AbortSignal,
): Promise<TableFile> {
  try {
    const response = await fetch(definition.path + queryOf(input), {
      headers: { token: session.token() ?? '', 'accept-language': i18next.language },
      credentials: 'same-origin',
      signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('application/json') || !response.body)
      throw refusalOf((await response.json()) as Envelope<unknown>);
    const total = response.headers.get('x-total-rows');
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const isText = type.startsWith('text/csv');
    let ends = 0;
    let bytes = 0;
    const rows = () => (isText ? Math.max(0, ends - 1) : undefined);
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      bytes += value.length;
      if (isText) for (const byte of value) if (byte === ROW_END) ends += 1;
      onProgress({ bytes, rows: rows(), total: total === null ? undefined : Number(total) });
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return {
      name: name ?? 'export',
      content: new Blob(parts, { type }),
      rows: rows(),
    };
  } catch (cause) {
    if (cause instanceof CallError || signal.aborted) throw cause;
    throw new CallError(NO_ANSWER, i18next.t('errors.noAnswer'), undefined, cause);
  }
}

function refusalOf({ code, msg, data }: Envelope<unknown>): CallError {
  if (code === CODES.sessionExpired.code) session.end('expired');
  return new CallError(code, msg, data);
}
