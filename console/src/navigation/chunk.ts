/** A part of the program that has not arrived after this long counts as failed. */
const CHUNK_TIMEOUT_MS = 120_000;

export class ChunkFailure extends Error {
  override readonly name = 'ChunkFailure';
}

/** Loads a part of the console within the time limit. A failure is thrown as ChunkFailure. */
export async function chunk<Part>(load: () => Promise<Part>): Promise<Part> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    throw new ChunkFailure('a part of the console could not be loaded', { cause });
  } finally {
    clearTimeout(timer);
  }
}
