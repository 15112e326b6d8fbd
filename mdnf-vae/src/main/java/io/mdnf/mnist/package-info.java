/** MNIST as rows to learn from: found in a folder or the cache, or fetched, and every byte of it verified. */
package io.mdnf.mnist;
