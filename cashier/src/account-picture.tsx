import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fetchPicture } from './api.ts';
import { useLanguage } from './language.tsx';

interface AccountPictureProps {
  readonly token: string;
  /** Another one when the picture is another. */
  readonly version: string;
  readonly payee: string;
  /** In its place until it is there, and where it could not be had. */
  readonly children?: ComponentChild;
}

/** The QR code the account's owner uploaded: apps that refuse made links to personal UPI IDs take it. It names no amount. */
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
