import './ground.css';
import './order.css';
import './after-paying.css';
import { render } from 'preact';
import { LanguageProvider } from './language.tsx';
import { Page } from './page.tsx';

/** The address is `/pay/<token>`. A text that cannot be a token is sent too, and the server refuses it. */
const token = location.pathname.replace(/\/+$/, '').split('/').pop() ?? '';
const root = document.getElementById('cashier');

if (root) {
  render(
    <LanguageProvider>
      <Page token={token} />
    </LanguageProvider>,
    root,
  );
}
