import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fetchPicture } from './api.ts';
import { useLanguage } from './language.tsx';

interface AccountPictureProps {
  readonly token: string;
  /** Changes when the picture changes. */
  readonly version: string;
  readonly payee: string;
  /** Shown until the picture has loaded, and where it cannot be loaded. */
  readonly children?: ComponentChild;
}

/**
 * The QR code that the account's owner uploaded. Apps that refuse generated links to personal UPI IDs accept it. It contains no
 * amount.
 */
export function AccountPicture({ token, version, payee, children }: AccountPictureProps) {
  const { t } = useLanguage();
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    void fetchPicture(token, abort.signal).then((found) => {
      if (!abort.signal.aborted) setPicture(found);
    });
    return () => abort.abort();
  }, [token, version]);
  if (picture === undefined) return children;
  return (
    <>
      <p class="scan">{t('scanPicture')}</p>
      <img
        class="qr picture"
        src={picture}
        alt={t('qrPicture', { payee })}
        onError={() => setPicture(undefined)}
      />
    </>
  );
}
