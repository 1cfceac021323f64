import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import i18next from 'i18next';
import type { Call } from 'virtual:endpoints';
import { session } from '../session/session.ts';
import { CallError, NO_ANSWER } from './call-error.ts';
import { queryOf } from './caller.ts';

export interface CsvProgress {
  /** Rows that have arrived, without the heading. */
  readonly rows: number;
  /** How many there will be, where the server knows. */
  readonly total: number | undefined;
}

export interface CsvFile {
  readonly name: string;
  readonly content: Blob;
  readonly rows: number;
}

/** Rows end with CR LF; a line break within a cell is a bare LF. */
const ROW_END = 13;

/** Reads a CSV answer as it arrives and reports its progress. An answer that breaks off is an error, never a file. */
export async function downloadCsv<Input extends object>(
  definition: Call<Input, string>,
  input: Input,
  onProgress: (progress: CsvProgress) => void,
  signal: AbortSignal,
): Promise<CsvFile> {
  try {
    const response = await fetch(definition.path + queryOf(input), {
      headers: { token: session.token() ?? '', 'accept-language': i18next.language },
      credentials: 'same-origin',
      signal,
    });
    if (!response.headers.get('content-type')?.startsWith('text/csv') || !response.body)
      throw refusalOf((await response.json()) as Envelope<unknown>);
    const total = response.headers.get('x-total-rows');
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let ends = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      for (const byte of value) if (byte === ROW_END) ends += 1;
      onProgress({ rows: Math.max(0, ends - 1), total: total === null ? undefined : Number(total) });
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return {
      name: name ?? 'export.csv',
      content: new Blob(parts, { type: 'text/csv' }),
      rows: Math.max(0, ends - 1),
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
