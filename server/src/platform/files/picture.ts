export type PictureType = 'image/png' | 'image/jpeg';

/** The type of a picture by its first bytes; its name does not matter. Undefined when it is neither PNG nor JPEG. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  return bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) ? 'image/jpeg' : undefined;
}
