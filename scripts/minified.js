// How the library is minified: names of functions and classes stay, which messages and stack traces have, and others become short.
'use strict';

module.exports.MINIFIED = {
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  target: 'node20',
  charset: 'utf8',
  legalComments: 'none',
};
