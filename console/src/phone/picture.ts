/** The server's limit. */
const BYTES_MAX = 512 * 1024;
/** At this width a phone's screenshot is well below the limit and still legible. */
const WIDTH_MAX = 900;
const QUALITIES = [0.8, 0.5];

/**
 * Converts any picture that the browser can read to a small JPEG, in base64. Throws where the file is no picture. The picture is
 * redrawn, so the camera's data (place, time, device) does not leave the phone.
 */
export async function smallPicture(file: Blob): Promise<string> {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, WIDTH_MAX / image.width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  for (const quality of QUALITIES) {
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (drawn && drawn.size <= BYTES_MAX) return base64Of(drawn);
  }
  throw new Error('too large');
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1] ?? ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(blob);
  });
}
