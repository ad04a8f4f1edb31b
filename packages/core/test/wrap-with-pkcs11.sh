#!/bin/sh
# Wraps and unwraps with an RSA key of a PKCS#11 token: base64 in, base64 out.
# PKCS11_MODULE names the module, PKCS11_PUBLIC_KEY the public key in DER, PKCS11_PIN the PIN.
set -eu
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base64 -d > "$work/in"
case "$1" in
  wrap)
    openssl pkeyutl -encrypt -pubin -keyform DER -inkey "$PKCS11_PUBLIC_KEY" \
      -pkeyopt rsa_padding_mode:oaep -in "$work/in" -out "$work/out"
    ;;
  unwrap)
    pkcs11-tool --module "$PKCS11_MODULE" --token-label agentkeep --login --pin env:PKCS11_PIN \
      --decrypt --mechanism RSA-PKCS-OAEP --hash-algorithm SHA-1 --mgf MGF1-SHA1 --id 01 \
      --input-file "$work/in" --output-file "$work/out" > /dev/null 2>&1
    ;;
esac
base64 < "$work/out"
