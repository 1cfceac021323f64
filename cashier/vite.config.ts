import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [preact()],
  base: '/pay-assets/',
  build: {
    // Payers use old phones whose web views get no more updates. BigInt sets the lower limit.
    target: ['chrome87', 'firefox78', 'safari14'],
    // Inlined files would be data: addresses, which the server's content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
  server: {
    proxy: { '/v1.0': 'http://127.0.0.1:8080' },
  },
});
