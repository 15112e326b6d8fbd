/** The same work on an Apache Spark cluster. */
package io.mdnf.spark;
