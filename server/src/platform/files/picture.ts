export type PictureType = 'image/png' | 'image/jpeg';

/** What a picture is by its first bytes, whatever its name says; undefined where it is neither. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  return bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) ? 'image/jpeg' : undefined;
}
