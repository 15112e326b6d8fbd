/**
 * Files of the UAI inference competitions: models, evidence and results, read strictly and written exactly. A model is
 * a product of tables, whether a Markov field or a Bayesian network, and becomes a {@link io.mdnf.target.FactorTarget}.
 */
package io.mdnf.uai;
