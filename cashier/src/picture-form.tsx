import { useState } from 'preact/hooks';
import { submitPicture } from './api.ts';
import { useLanguage } from './language.tsx';

/** The server's limit. */
const BYTES_MAX = 512 * 1024;
/** A phone's screenshot drawn at this width is well below that, and still legible. */
const WIDTH_MAX = 900;

type Said = 'pictureKept' | 'pictureWrong' | 'pictureRefused' | 'pictureFailed';

/** Adds a screenshot of the payment, for the staff who search for it. */
export function PictureForm({ token, onSubmitted }: { token: string; onSubmitted: () => void }) {
  const { t } = useLanguage();
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState<Said>();

  const send = async (file: File): Promise<void> => {
    setSending(true);
    const picture = await smallEnough(file).catch(() => undefined);
    if (picture === undefined) setSaid('pictureWrong');
    else {
      const result = await submitPicture(token, picture, document.documentElement.lang);
      setSaid(
        result.kind === 'accepted'
          ? 'pictureKept'
          : result.kind === 'refused'
            ? 'pictureRefused'
            : 'pictureFailed',
      );
      if (result.kind === 'accepted') onSubmitted();
    }
    setSending(false);
  };

  return (
    <section class="card after" aria-labelledby="picture-heading">
      <h2 id="picture-heading">{t('pictureHeading')}</h2>
      {/* The browser's own file button would be in the browser's language, not the page's. */}
      <input
        id="picture"
        class="unseen"
        type="file"
        accept="image/png,image/jpeg"
        disabled={sending}
        aria-describedby="picture-hint picture-said"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void send(file);
          currentTarget.value = '';
        }}
      />
      <label class="button quiet" for="picture">
        {t(sending ? 'sending' : 'pictureChoose')}
      </label>
      <p id="picture-hint" class="hint">
        {t('pictureLabel')}
      </p>
      <p id="picture-said" class={said === 'pictureKept' ? 'hint' : 'problem'} role="status">
        {!sending && said ? t(said) : ''}
      </p>
    </section>
  );
}

/** The picture in base64, redrawn smaller where the file is too large. Throws where the file is no picture. */
async function smallEnough(file: File): Promise<string> {
  const image = await createImageBitmap(file);
  if (file.size <= BYTES_MAX && (file.type === 'image/png' || file.type === 'image/jpeg')) {
    image.close();
    return base64Of(file);
  }
  const scale = Math.min(1, WIDTH_MAX / image.width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
  if (!drawn || drawn.size > BYTES_MAX) throw new Error('too large');
  return base64Of(drawn);
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1] ?? ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(blob);
  });
}
